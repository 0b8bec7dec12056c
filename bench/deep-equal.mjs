// Exact comparison of two graphs: kinds, classes, members, bit-exact numbers and, where a candidate claims it, sharing.

const { at } = Array.prototype;

/** What has the elements of a list: of a DataView, its bytes. */
const elementsOf = (list) => (list instanceof DataView ? new Uint8Array(list.buffer, list.byteOffset, list.byteLength) : list);

/** What a candidate is allowed to lose; everything else must come back exactly. */
/** @typedef {{ sharing?: boolean, classes?: boolean, typedArrays?: boolean, undefinedMembers?: boolean, undefinedAsNull?: boolean, integerTypes?: boolean }} Fidelity */

/**
 * The first difference as a path and a reason, or null.
 * @param {unknown} a the original @param {unknown} b the copy @param {Fidelity} fidelity defaults: everything is kept
 * @returns {string | null}
 */
export function firstDifference(a, b, fidelity = {}) {
  const {
    sharing = true,
    classes = true,
    typedArrays = true,
    undefinedMembers = true,
    undefinedAsNull = false,
    integerTypes = true,
  } = fidelity;
  const members = (o) => (undefinedMembers ? Object.keys(o) : Object.keys(o).filter((name) => o[name] !== undefined));
  /** Containers that have been met, from either side. */
  const aToB = new Map();
  const bToA = new Map();
  /** Pairs still to compare. Paths are linked, and only spelled out for a difference. */
  const work = [{ a, b, parent: null, key: "" }];
  const spell = (item) =>
    item.parent === null ? "" : `${spell(item.parent)}${typeof item.key === "number" ? `[${item.key}]` : `.${item.key}`}`;
  while (work.length > 0) {
    const item = work.pop();
    const { a: x, b: y } = item;
    const differ = (why) => `${spell(item) || "(root)"}: ${why}`;
    if (typeof x !== "object" || x === null) {
      if (!integerTypes && typeof x === "bigint" && typeof y === "number" && Number(x) === y) continue;
      if (undefinedAsNull && x === undefined && y === null) continue;
      if (!Object.is(x, y)) return differ(`${String(x)} became ${String(y)}`);
      continue;
    }
    if (typeof y !== "object" || y === null) return differ(`a container became ${String(y)}`);
    const known = aToB.get(x);
    if (sharing) {
      if (known !== undefined || bToA.has(y)) {
        if (known !== y || bToA.get(y) !== x) return differ("sharing differs");
        continue;
      }
      aToB.set(x, y);
      bToA.set(y, x);
    }
    const list = Array.isArray(x) || ArrayBuffer.isView(x);
    if (list !== (Array.isArray(y) || ArrayBuffer.isView(y))) return differ("array and struct");
    if (list) {
      if (typedArrays && (ArrayBuffer.isView(x) || ArrayBuffer.isView(y)) && x.constructor !== y.constructor)
        return differ(`${x.constructor.name} became ${y.constructor.name}`);
      const p = elementsOf(x);
      const q = elementsOf(y);
      if (p.length !== q.length) return differ(`${p.length} elements became ${q.length}`);
      // An array is left in the form that the engine has given it, which a loop over arrays of all forms would change for good.
      const elementOfP = Array.isArray(p) ? at : (i) => p[i];
      const elementOfQ = Array.isArray(q) ? at : (i) => q[i];
      for (let i = 0; i < p.length; i++) {
        const v = elementOfP.call(p, i);
        const w = elementOfQ.call(q, i);
        if (v === undefined && w === undefined && Object.hasOwn(p, i) !== Object.hasOwn(q, i))
          return differ(`element ${i} ${Object.hasOwn(p, i) ? "became" : "was"} a hole`);
        if (typeof v === "object" || !Object.is(v, w)) work.push({ a: v, b: w, parent: item, key: i });
      }
      continue;
    }
    if (classes && Object.getPrototypeOf(x) !== Object.getPrototypeOf(y)) return differ(`class ${x.constructor?.name} was lost`);
    const names = members(x);
    if (names.length !== members(y).length) return differ(`${names.length} members became ${members(y).length}`);
    for (const name of names) {
      if (!Object.hasOwn(y, name)) return differ(`member ${name} is missing`);
      if (typeof x[name] === "object" || !Object.is(x[name], y[name])) work.push({ a: x[name], b: y[name], parent: item, key: name });
    }
  }
  return null;
}
