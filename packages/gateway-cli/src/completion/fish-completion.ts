import { allCommands, type TreeCommand, type TreeOption, type ValueKind } from './command-tree.ts';
import { NAMES_COMMAND } from './completed-names.ts';
import { quotedForFish } from './quoted-for-shell.ts';

function completionOf(value: ValueKind): string {
  switch (value.kind) {
    case 'none':
      return '';
    case 'free':
      return ' -x';
    case 'directory':
      return ` -xa '(__fish_complete_directories)'`;
    case 'choice':
      return ` -xa ${quotedForFish(value.choices.join(' '))}`;
  }
}

const longOf = ({ flag }: TreeOption): string => flag.replace(/^--/u, '');

function linesOf(
  { path, commands, choices, names, options }: TreeCommand,
  program: string,
): readonly string[] {
  const prefix = `complete -c ${program} -n ${quotedForFish(`__${program}_at ${quotedForFish(path)}`)}`;
  return [
    ...commands.map(
      ({ name, description }) => `${prefix} -a ${name} -d ${quotedForFish(description)}`,
    ),
    ...choices.map((choice) => `${prefix} -a ${quotedForFish(choice)}`),
    ...(names === undefined
      ? []
      : [
          `${prefix} -a ${quotedForFish(`(${program} ${NAMES_COMMAND} ${names} (__${program}_place) 2>/dev/null)`)}`,
        ]),
    ...options.map(
      (option) =>
        `${prefix} -l ${longOf(option)}${completionOf(option.value)} -d ${quotedForFish(option.description)}`,
    ),
  ];
}

/** Returns the completion script for fish. */
export function fishCompletion(tree: TreeCommand): string {
  const commands = allCommands(tree);
  const steps = commands.slice(1).map(({ path }) => quotedForFish(path));
  return `# Completion of ${tree.name} for fish:  ${tree.name} completion fish > ~/.config/fish/completions/${tree.name}.fish
function __${tree.name}_at
    set -l at ${tree.name}
    for word in (commandline -opc)[2..-1]
        switch "$at $word"
            case ${steps.join(' ')}
                set at "$at $word"
        end
    end
    test "$at" = "$argv[1]"
end
function __${tree.name}_place
    set -l words (commandline -opc)
    set -l at (contains -i -- --config-dir $words); or return
    test (count $words) -gt $at; and printf '%s\\n' --config-dir $words[(math $at + 1)]
end
complete -c ${tree.name} -f
complete -c ${tree.name} -l help -d 'display help'
${commands.flatMap((command) => linesOf(command, tree.name)).join('\n')}
`;
}
