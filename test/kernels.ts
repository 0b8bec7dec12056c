/** How many kernels of WebAssembly are made while `operation` runs. */
export async function kernels(operation: () => unknown): Promise<number> {
  const { Instance } = WebAssembly;
  let made = 0;
  WebAssembly.Instance = new Proxy(Instance, {
    construct(target, given) {
      made++;
      return Reflect.construct(target, given);
    },
  });
  try {
    await operation();
  } finally {
    WebAssembly.Instance = Instance;
  }
  return made;
}
