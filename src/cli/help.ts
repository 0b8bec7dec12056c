// Manual pages, made of what the commands say about themselves.
import { type Command, GENERAL_OPTIONS, type Option } from "./command.ts";

const WIDTH = 78;

function wrap(text: string, indent: number): string {
  const lines: string[] = [];
  let line = "";
  for (const word of text.split(" ")) {
    if (line && line.length + word.length + 1 > WIDTH - indent) {
      lines.push(line);
      line = "";
    }
    line += (line ? " " : "") + word;
  }
  lines.push(line);
  return lines.map((each) => " ".repeat(indent) + each).join("\n");
}

function optionLines(options: Readonly<Record<string, Option>>): string {
  return Object.entries(options)
    .map(
      ([name, option]) =>
        `  ${option.short ? `-${option.short}, ` : ""}--${name}${option.value ? ` ${option.value}` : ""}\n${wrap(option.help, 8)}`,
    )
    .join("\n");
}

const STATUS =
  "0: good. 1: the file is bad, or the files differ. 2: the call is bad, or a file cannot be read or written. 130: interrupted (143, 129: by SIGTERM, SIGHUP).";

export function commandPage(command: Command): string {
  const own = Object.keys(command.options).length > 0 ? `${optionLines(command.options)}\n` : "";
  const examples = command.examples ? `\nEXAMPLES\n${command.examples.map((example) => `  ${example}`).join("\n")}\n` : "";
  return `NAME
  tusk ${command.name} - ${command.summary}

SYNOPSIS
${command.usage.map((usage) => `  tusk ${command.name} ${usage}`).join("\n")}

DESCRIPTION
${command.description.map((paragraph) => wrap(paragraph, 2)).join("\n\n")}

OPTIONS
${own}${optionLines(GENERAL_OPTIONS)}
${examples}
EXIT STATUS
${wrap(STATUS, 2)}
`;
}

export function programPage(commands: readonly Command[], formats: readonly { name: string; title: string }[]): string {
  const longest = Math.max(...commands.map((command) => command.name.length));
  const longestFormat = Math.max(...formats.map((format) => format.name.length));
  return `NAME
  tusk - look into, change and check GameMaker save files

SYNOPSIS
  tusk COMMAND [OPTIONS] FILE ...
  tusk COMMAND --help

COMMANDS
${commands.map((command) => `  ${command.name.padEnd(longest)}  ${command.summary}`).join("\n")}

FORMATS
${formats.map((format) => `  ${format.name.padEnd(longestFormat)}  ${format.title}`).join("\n")}
  ${"json".padEnd(longestFormat)}  the lossless JSON of "tusk decode"

  A format is told by the content of a file. - stands for standard input and,
  as a target, standard output. Files are replaced in one step.

OPTIONS
  -h, --help     show this page
  -v, --version  show the version
  -q, --quiet, --color, --no-color
                 as in every command, also before it

EXIT STATUS
${wrap(STATUS, 2)}
`;
}
