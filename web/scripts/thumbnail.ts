// A picture of the documentation made small: its shapes alone, since words would be too small to read.

interface Box {
  left: number;
  top: number;
  right: number;
  bottom: number;
}

/** The space between the shapes and the edge. */
const MARGIN = 10;

/** The longest stroke of a legend, whose words are gone. */
const LONGEST_KEY = 30;

/** The box around all lines, bars and dots, as the engine writes them: absolute points, rectangles and circles. */
function boxOf(svg: string): Box {
  const box: Box = { left: Infinity, top: Infinity, right: -Infinity, bottom: -Infinity };
  const hold = (x: number, y: number) => {
    box.left = Math.min(box.left, x);
    box.right = Math.max(box.right, x);
    box.top = Math.min(box.top, y);
    box.bottom = Math.max(box.bottom, y);
  };
  for (const [shape] of svg.matchAll(/<(?:path|rect|circle)\b[^>]*>/g)) {
    const number = (name: string) => Number(shape.match(new RegExp(` ${name}="([^"]*)"`))?.[1] ?? 0);
    for (const [, x, y] of (shape.match(/ d="([^"]*)"/)?.[1] ?? "").matchAll(/(-?[\d.]+),(-?[\d.]+)/g)) hold(Number(x), Number(y));
    if (shape.startsWith("<rect") && !shape.includes("fill-ground")) {
      hold(number("x"), number("y"));
      hold(number("x") + number("width"), number("y") + number("height"));
    }
    if (shape.startsWith("<circle")) hold(number("cx"), number("cy"));
  }
  return box;
}

export function thumbnail(picture: string): string {
  const shapes = picture.replace(/<(text|title|desc)\b[^]*?<\/\1>\s*/g, "").replace(/<path d="M([\d.]+),([\d.]+) ([\d.]+),\2"[^>]*\/>\s*/g, (line, from, _, to) => (Number(to) - Number(from) < LONGEST_KEY ? "" : line));
  const { left, top, right, bottom } = boxOf(shapes);
  if (!(left < right && top < bottom)) return picture;
  const box = [left - MARGIN, top - MARGIN, right - left + 2 * MARGIN, bottom - top + 2 * MARGIN].map((edge) => edge.toFixed(1));
  return shapes.replace(/<svg\b[^>]*>/, (start) => start.replace(/ (?:width|height|aria-labelledby|role)="[^"]*"/g, "").replace(/viewBox="[^"]*"/, `viewBox="${box.join(" ")}"`));
}
