// This script presses what is on the page and does nothing else: every key is
// that of a button, a link or a field that the page shows.

const typing = (e) => e.matches("input:not([type=checkbox]), select, textarea");

function press(key) {
  const control = document.querySelector(`[data-key="${CSS.escape(key)}"]`);
  if (control && !control.disabled) control.click();
  return Boolean(control);
}

function focusOn(key) {
  const field = document.querySelector(`[data-focus="${CSS.escape(key)}"]`);
  if (field?.matches("[data-selection]")) propose();
  if (field) field.focus();
  return Boolean(field);
}

// The arrow keys go from line to line, or from word to word in the re-check.
function move(step) {
  const boxes = [...document.querySelectorAll(".lines input, .blind input[type=checkbox]")];
  if (boxes.length === 0) return false;
  const at = boxes.indexOf(document.activeElement);
  boxes[Math.max(0, Math.min(boxes.length - 1, at < 0 ? 0 : at + step))].focus();
  return true;
}

function openLine() {
  const line = document.activeElement.closest(".line") ?? document.querySelector(".line");
  const link = line?.querySelector("a.open");
  link?.click();
  return Boolean(link);
}

const moves = { ArrowDown: 1, ArrowUp: -1 };

function handle(event) {
  if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return false;
  if (typing(event.target)) {
    if (event.key === "Escape") event.target.blur();
    return false;
  }
  if (event.key in moves) return move(moves[event.key]);
  // Enter on a line would send the form: only a key that is shown decides.
  if (event.key === "Enter" && event.target.matches("input[type=checkbox]")) return true;
  const blind = document.querySelector(".blind");
  if (blind && (event.key === "ArrowRight" || event.key === "ArrowLeft")) return move(event.key === "ArrowRight" ? 1 : -1);
  if (press(event.key) || focusOn(event.key)) return true;
  if (event.key === "o") return openLine();
  if (event.key === "q" || event.key === "Escape") {
    document.querySelector("a.brand").click();
    return true;
  }
  return false;
}

document.addEventListener("keydown", (event) => {
  if (handle(event)) event.preventDefault();
});

// A press on "all" selects every line, a second one none. The bar says what a
// verdict is for: the form, or the selected lines.
function scope() {
  const said = document.querySelector(".scope");
  if (!said) return;
  const chosen = document.querySelectorAll(".lines input:checked").length;
  said.textContent = chosen > 0 ? `${said.dataset.lines} ${chosen}` : said.dataset.form;
}

document.addEventListener("click", (event) => {
  const all = event.target.closest("[data-all]");
  if (all) {
    const boxes = [...all.form.querySelectorAll(`input[name="${all.dataset.all}"]`)];
    const on = boxes.some((box) => !box.checked);
    for (const box of boxes) box.checked = on;
    scope();
  }
});
document.addEventListener("change", scope);

// Enter in the field of an entity or a category masks, since that is what naming
// somebody means.
document.querySelector("#decide")?.addEventListener("keydown", (event) => {
  if (event.key === "Enter" && typing(event.target)) {
    event.preventDefault();
    press("m");
  }
});

// What is selected in a thread is proposed as the form to add.
function propose() {
  const field = document.querySelector("[data-selection]");
  const chosen = document.getSelection();
  const inPost = chosen?.anchorNode?.parentElement?.closest(".raw");
  const text = chosen?.toString().trim() ?? "";
  if (field && inPost && text && text.length <= 100) field.value = text;
}
document.addEventListener("selectionchange", propose);

// Nobody there: the page locks itself, so that no name stays on the screen.
const idle = Number(document.body.dataset.idle) * 1000;
let timer;
function awake() {
  clearTimeout(timer);
  timer = setTimeout(() => document.getElementById("lock")?.requestSubmit(), idle);
}
for (const kind of ["keydown", "pointerdown", "scroll"]) document.addEventListener(kind, awake, { passive: true });
awake();
