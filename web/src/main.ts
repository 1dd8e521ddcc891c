// The page: buttons, the link, and what is shown of a run.

import "./style.css";
import { Editor } from "./editor";
import { examples } from "./examples";
import { Panels } from "./panels";
import { fromHash, toHash } from "./share";
import { Checker, Runner } from "./solver";

const find = <T extends HTMLElement>(id: string) => document.getElementById(id) as T;
const state = find<HTMLOutputElement>("state");
const [runButton, stopButton] = [find<HTMLButtonElement>("run"), find<HTMLButtonElement>("stop")];
const explain = find<HTMLInputElement>("explain");
const select = find<HTMLSelectElement>("example");

const runner = new Runner();
const editor = new Editor(find("editor"), new Checker(), { run, stop: () => runner.stop() });
const panels = new Panels((from, to) => editor.show(from, to));

function say(text: string, isError = false) {
  state.textContent = text;
  state.classList.toggle("error", isError);
}

function run() {
  if (runner.isRunning) return;
  const began = performance.now();
  const seconds = () => `${((performance.now() - began) / 1000).toFixed(1)} s`;
  panels.begin(editor.text);
  [runButton.disabled, stopButton.disabled] = [true, false];
  say("running");
  const timer = setInterval(() => say(`running, ${seconds()}`), 100);
  runner.run(editor.text, explain.checked, {
    answer: (answer) => panels.answer(answer),
    explanation: (report) => panels.explanation(report),
    end(statistics, failure) {
      clearInterval(timer);
      [runButton.disabled, stopButton.disabled] = [false, true];
      panels.end(statistics, failure);
      say(failure === null ? `done in ${seconds()}` : failure === "stopped" ? `stopped after ${seconds()}` : failure, failure !== null);
    },
  });
}

async function share() {
  try {
    history.replaceState(null, "", await toHash(editor.text));
  } catch (error) {
    return say(`no link was made: ${error instanceof Error ? error.message : error}`, true);
  }
  try {
    await navigator.clipboard.writeText(location.href);
    say("the link is copied");
  } catch {
    say("the link is in the address bar");
  }
}

async function open() {
  try {
    const shared = await fromHash(location.hash);
    if (shared !== null) editor.text = shared;
    return shared !== null;
  } catch (error) {
    say(error instanceof RangeError ? error.message : "the link is damaged: its script cannot be read", true);
    return false;
  }
}

for (const group of new Set(examples.map((example) => example.group))) {
  const heading = document.createElement("optgroup");
  heading.label = group;
  for (const example of examples) if (example.group === group) heading.append(new Option(example.name, example.name));
  select.add(heading);
}
select.addEventListener("change", () => {
  const text = examples.find(({ name }) => name === select.value)?.text;
  select.value = "";
  if (text !== undefined) editor.text = text;
});
runButton.addEventListener("click", run);
stopButton.addEventListener("click", () => runner.stop());
find("share").addEventListener("click", share);
addEventListener("hashchange", open);
addEventListener("keydown", (event) => {
  if (event.key === "Escape") runner.stop();
});

runner.ready.then((version) => {
  document.documentElement.dataset.ready = version;
  if (!state.textContent) say(`version ${version}`);
});
if (!(await open())) editor.text = examples[0]!.text;
editor.view.focus();

if (import.meta.env.PROD && "serviceWorker" in navigator) {
  // Where it is not allowed (a file, plain http), the page works as long as it is open.
  navigator.serviceWorker
    .register("./service-worker.js")
    .then(() => navigator.serviceWorker.ready)
    .then(() => (document.documentElement.dataset.offline = "yes"))
    .catch(() => {});
}
