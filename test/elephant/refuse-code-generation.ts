// Import this first: from here on `new Function` and `Function()` throw what a page under `script-src 'self'` throws.

function refuse(): never {
  throw new EvalError("Code generation from strings disallowed for this context");
}

globalThis.Function = new Proxy(Function, { construct: refuse, apply: refuse });
