// Light, dark, or as the system says.

import { h, icon } from "./dom.ts";

type Theme = "auto" | "light" | "dark";

const KEY = "dicedist-theme";
const PATHS: Record<Theme, string> = {
  auto: "M10 2.5a7.5 7.5 0 1 0 0 15Zm0 0a7.5 7.5 0 0 1 0 15",
  light: "M10 6.5a3.5 3.5 0 1 0 0 7 3.5 3.5 0 0 0 0-7ZM10 1.5v2M10 16.5v2M1.5 10h2M16.5 10h2M4 4l1.4 1.4M14.6 14.6 16 16M4 16l1.4-1.4M14.6 5.4 16 4",
  dark: "M16.5 12.3A7 7 0 0 1 7.7 3.5a7 7 0 1 0 8.8 8.8Z",
};
const NAMES: Record<Theme, string> = { auto: "as the system", light: "light", dark: "dark" };

function stored(): Theme {
  try {
    const value = localStorage.getItem(KEY);
    return value === "light" || value === "dark" ? value : "auto";
  } catch {
    return "auto";
  }
}

export function newThemeSwitch(): HTMLElement {
  let theme = stored();
  const button = h("button", { type: "button", class: "icon-button" });
  const apply = () => {
    if (theme === "auto") delete document.documentElement.dataset["theme"];
    else document.documentElement.dataset["theme"] = theme;
    button.setAttribute("aria-label", `Colours: ${NAMES[theme]}`);
    button.title = `Colours: ${NAMES[theme]}`;
    button.replaceChildren(icon(PATHS[theme]));
  };
  button.addEventListener("click", () => {
    theme = theme === "auto" ? "dark" : theme === "dark" ? "light" : "auto";
    try {
      if (theme === "auto") localStorage.removeItem(KEY);
      else localStorage.setItem(KEY, theme);
    } catch {
      // Without storage the choice holds for this visit.
    }
    apply();
  });
  apply();
  return button;
}
