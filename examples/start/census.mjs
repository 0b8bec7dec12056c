// What a save consists of, and a tree of its first levels.
import { isScalar, StructInstance } from "tusk-codec";
import { count, cyan, dim, green, visible, yellow } from "./terminal.mjs";

export const isContainer = (value) => typeof value === "object" && value !== null && !isScalar(value);

/** The constructor's name of an instance; undefined for arrays and plain structs. */
export function constructorOf(value) {
  if (value instanceof StructInstance) return StructInstance.nameOf(value);
  const prototype = Object.getPrototypeOf(value);
  return prototype === Object.prototype || Array.isArray(value) ? undefined : prototype.constructor.name;
}

/** The same to be shown. */
function kindOf(value) {
  const name = constructorOf(value);
  return name === undefined ? undefined : visible(name);
}

/** Counts what the graph under `root` holds; every container once, however often it occurs. */
export function census(root) {
  const found = { constructors: new Map(), structs: 0, arrays: 0, repeated: 0, strings: 0, numbers: 0, integers: 0, booleans: 0, empty: 0 };
  const seen = new Set();
  const open = [root];
  while (open.length > 0) {
    const value = open.pop();
    if (!isContainer(value)) {
      const plain = isScalar(value) ? value.value : value;
      if (typeof plain === "string") found.strings++;
      else if (typeof plain === "number") found.numbers++;
      else if (typeof plain === "bigint") found.integers++;
      else if (typeof plain === "boolean") found.booleans++;
      else found.empty++;
    } else if (seen.has(value)) {
      found.repeated++;
    } else {
      seen.add(value);
      const name = constructorOf(value);
      if (Array.isArray(value)) found.arrays++;
      else if (name === undefined) found.structs++;
      else found.constructors.set(name, (found.constructors.get(name) ?? 0) + 1);
      for (const child of Array.isArray(value) ? value : Object.values(value)) open.push(child);
    }
  }
  return found;
}

function shown(value) {
  const plain = isScalar(value) ? value.value : value;
  if (typeof plain === "string") {
    const units = [...plain];
    return green(visible(JSON.stringify(units.length > 48 ? `${units.slice(0, 47).join("")}…` : plain)));
  }
  if (typeof plain === "bigint") return yellow(`${plain}n`);
  return plain === undefined ? dim("undefined") : yellow(String(plain));
}

/** `Entity with 16 members`, `array of 5,000 Entity`. */
function summary(value) {
  if (!isContainer(value)) return shown(value);
  if (!Array.isArray(value)) return `${cyan(kindOf(value) ?? "struct")} ${dim(`with ${count(Object.keys(value).length)} members`)}`;
  if (value.length === 0) return dim("empty array");
  const kinds = new Set(
    value.map((element) => (isContainer(element) ? (kindOf(element) ?? (Array.isArray(element) ? "arrays" : "structs")) : typeof element)),
  );
  return dim(`array of ${count(value.length)} `) + (kinds.size === 1 ? cyan([...kinds][0]) : dim("values"));
}

/** Lines of the first `levels` levels; of each array the first element stands for all. */
export function tree(root, levels = 3, breadth = 10) {
  const lines = [summary(root)];
  const above = new Set();
  const descend = (value, indent, level) => {
    if (level === levels || !isContainer(value) || above.has(value)) return;
    above.add(value);
    const members = Array.isArray(value) ? value.slice(0, 1).map((element) => ["[0]", element]) : Object.entries(value);
    const rest = Array.isArray(value) ? 0 : members.length - breadth;
    for (const [i, [name, child]] of members.slice(0, breadth).entries()) {
      const last = i === Math.min(members.length, breadth) - 1 && rest <= 0;
      const label = isContainer(child) && above.has(child) ? dim(`the ${kindOf(child) ?? "container"} above`) : summary(child);
      lines.push(`${dim(indent + (last ? "└─ " : "├─ "))}${visible(name)}  ${label}`);
      // Elements that are plain values say nothing that the array's line has not said.
      if (!Array.isArray(child) || isContainer(child[0])) descend(child, indent + (last ? "   " : "│  "), level + 1);
    }
    if (rest > 0) lines.push(`${dim(`${indent}└─ ${count(rest)} more`)}`);
    above.delete(value);
  };
  descend(root, "", 0);
  return lines;
}

/** The first number that belongs to a struct, depth first: something to change in a save that nobody has described. */
export function firstNumber(root) {
  const seen = new Set();
  const open = [{ value: root, path: "" }];
  while (open.length > 0) {
    const { value, path } = open.pop();
    if (seen.has(value)) continue;
    seen.add(value);
    const children = [];
    for (const [name, child] of Object.entries(value)) {
      const at = Array.isArray(value) ? `${path}[${name}]` : `${path}.${name}`;
      if (typeof child === "number" && Number.isFinite(child) && Math.abs(child) < 2 ** 52) return { holder: value, name, path: at };
      if (isContainer(child)) children.push({ value: child, path: at });
    }
    open.push(...children.reverse());
  }
  return undefined;
}
