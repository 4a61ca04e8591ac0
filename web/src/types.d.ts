declare module "virtual:games" {
  const games: import("./pages/games.ts").Game[];
  export default games;
}
