import type { Question } from "../question.ts";

/** An example that opens in the editor. */
export interface Card {
  id: string;
  title: string;
  about: string;
  question: Partial<Question>;
}

/** A card with its picture, as SVG. */
export interface PicturedCard extends Card {
  picture: string;
}
