d6 /* one die */
