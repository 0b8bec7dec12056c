// Runs a program of node_modules/.bin (or node itself, the one that runs this) in the root folder.
import { spawn } from "node:child_process";
import { delimiter, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("..", import.meta.url));

/**
 * Resolves with what the program has put out; throws when it fails, and shows its output then. `show`: the output goes to the terminal as it
 * comes, `env`: further variables, `mayFail`: the exit code is returned, whatever it is.
 */
export function run(program, args, { show = false, mayFail = false, env = {} } = {}) {
  return new Promise((resolve, reject) => {
    // The shell of Windows, which finds programs that are scripts, takes the arguments as one text.
    const shell = process.platform === "win32";
    // Programs that are scripts start the first node that they find.
    const PATH = [join(root, "node_modules/.bin"), dirname(process.execPath), process.env.PATH].join(delimiter);
    const child = spawn(program, shell ? args.map((arg) => `"${arg}"`) : args, {
      cwd: root,
      env: { ...process.env, ...env, PATH },
      stdio: ["ignore", show ? "inherit" : "pipe", show ? "inherit" : "pipe"],
      shell,
    });
    let output = "";
    child.stdout?.on("data", (data) => (output += data));
    child.stderr?.on("data", (data) => (output += data));
    child.on("error", reject);
    child.on("close", (code) => {
      if (code === 0 || mayFail) return resolve({ code, output });
      console.error(output);
      reject(new Error(`${program} ${args.join(" ")} ended with exit code ${code}`));
    });
  });
}
