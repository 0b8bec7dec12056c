// A page that has a worker do its work; see page.js for why each test is run in a task of its own.
import { createElephant } from "tusk-codec/elephant";
import { createTuskWorker } from "tusk-codec/worker";

const violations = [];
addEventListener("securitypolicyviolation", ({ blockedURI, effectiveDirective }) => violations.push(`${blockedURI} ${effectiveDirective}`));

const value = { rows: Array.from({ length: 3000 }, (_, i) => ({ id: i, name: `row ${i}` })), big: 5n };
const text = (data) => JSON.stringify(data, (_name, member) => (typeof member === "bigint" ? `${member}n` : member));

/** Every way over the package's own worker; `options` go to `createTuskWorker`. */
async function standard(options) {
  const tusk = await createTuskWorker(options);
  const save = await tusk.write(value);
  const damaged = save.slice();
  damaged[8] = 99;
  const error = await tusk.read(damaged).catch(({ name, code, offset }) => ({ name, code, offset }));
  const results = {
    sameBytes: String(save) === String((await createElephant(options)).write(value)),
    sameValue: text(await tusk.read(save)) === text(value),
    sameText: text(await tusk.importString(await tusk.exportString(value))) === text(value),
    list: await tusk.readDs(await tusk.writeDs({ kind: "list", items: [1, "two", true] })),
    format: (await tusk.detect(save))?.format,
    error,
  };
  tusk.terminate();
  return { ...results, violations: violations.splice(0) };
}

/** What a worker of one's own says of itself, and how it reads inputs. */
async function own(options, inputs) {
  const tusk = await createTuskWorker(options);
  const engine = await tusk.call("engine");
  const outcomes = {};
  for (const [format, list] of Object.entries(inputs)) outcomes[format] = await tusk.call("outcomes", [format, list]);
  const refused = await tusk.call("violations");
  tusk.terminate();
  return { engine, outcomes, violations: [...violations.splice(0), ...refused] };
}

/** Why a worker cannot be started. */
async function failure(options) {
  return createTuskWorker(options).then(
    () => undefined,
    ({ name, code }) => ({ name, code }),
  );
}

const tests = { standard, own, failure };

globalThis.runTest = async (name, ...args) => {
  await new Promise((resolve) => setTimeout(resolve));
  return tests[name](...args);
};
