declare module "virtual:gallery" {
  const cards: import("./pages/card.ts").PicturedCard[];
  export default cards;
}
