// What a container shows: its children by ordinal, each with a label. Made when somebody looks, so that a large save costs nothing more.

/** Members of an object, in their order. */
export class Members {
  label = "member";

  constructor(object) {
    this.object = object;
    this.names = Object.keys(object);
    this.count = this.names.length;
  }

  name(i) {
    return this.names[i];
  }

  key(i) {
    return this.names[i];
  }

  value(i) {
    return this.object[this.names[i]];
  }

  set(i, value) {
    // Defined, not assigned: the name comes from a file.
    Object.defineProperty(this.object, this.names[i], { value, writable: true, enumerable: true, configurable: true });
  }
}

/** Items of an array, by index. */
export class Items {
  label = "index";

  constructor(array) {
    this.array = array;
    this.count = array.length;
  }

  name(i) {
    return String(i);
  }

  value(i) {
    return this.array[i];
  }

  set(i, value) {
    this.array[i] = value;
  }
}

/**
 * Children that a format finds by rules of its own. `set` is absent where they cannot be replaced. `key` tells children apart where two may have the
 * same name; their names by default.
 */
export class Listed {
  constructor(label, count, name, value, set, key = name) {
    this.label = label;
    this.count = count;
    this.name = name;
    this.value = value;
    this.set = set;
    this.key = key;
  }
}

/** Pairs `[key, value]`, e.g. the entries of a map. */
export function pairs(list, nameOf, keyOf = nameOf) {
  return new Listed(
    "key",
    list.length,
    (i) => nameOf(list[i][0]),
    (i) => list[i][1],
    (i, value) => {
      list[i][1] = value;
    },
    (i) => keyOf(list[i][0]),
  );
}
