"""Records: outcomes of several values with names."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Union


class Record(tuple[Union[int, str], ...]):
    """The values of one roll, each with a name: a tuple whose members have names.

    It is equal to the tuple of its values, so a record can be looked up as one.

    >>> import dicedist
    >>> roll = dicedist.Record(hits=3, ones=1)
    >>> roll.hits, roll["ones"], roll[0], roll == (3, 1)
    (3, 1, 3, True)
    >>> hits, ones = roll
    >>> roll
    Record(hits=3, ones=1)
    """

    _fields: tuple[str, ...]

    def __new__(cls, **parts: int | str) -> Record:
        """The record of these values."""
        return cls._of(tuple(parts), tuple(parts.values()))

    @classmethod
    def _of(cls, names: tuple[str, ...], values: tuple[Any, ...]) -> Record:
        record = tuple.__new__(cls, values)
        record._fields = names
        return record

    def __getattr__(self, name: str) -> Any:
        try:
            return tuple.__getitem__(self, self.__dict__["_fields"].index(name))
        except (KeyError, ValueError):
            raise AttributeError(f"the record has no {name}") from None

    def __getitem__(self, key: Any) -> Any:
        if isinstance(key, str):
            try:
                return tuple.__getitem__(self, self._fields.index(key))
            except ValueError:
                raise KeyError(key) from None
        return tuple.__getitem__(self, key)

    def keys(self) -> tuple[str, ...]:
        """The names, so that ``dict(record)`` has them."""
        return self._fields

    def items(self) -> Iterator[tuple[str, Any]]:
        """The names with their values."""
        return zip(self._fields, self, strict=True)

    def __repr__(self) -> str:
        parts = ", ".join(f"{name}={value!r}" for name, value in self.items())
        return f"Record({parts})"

    def __reduce__(self) -> tuple[Any, ...]:
        return _unpickled, (self._fields, tuple(self))

    def __copy__(self) -> Record:
        return self

    def __deepcopy__(self, memo: object) -> Record:
        return self


def _unpickled(names: tuple[str, ...], values: tuple[Any, ...]) -> Record:
    return Record._of(names, values)
