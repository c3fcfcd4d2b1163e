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
  { path, commands, choices, names, argumentNames, options }: TreeCommand,
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
          `${prefix} -a ${quotedForFish(`(${[`__${program}_names`, names, argumentNames ?? ''].join(' ').trimEnd()})`)}`,
        ]),
    ...options.map(
      (option) =>
        `${prefix} -l ${longOf(option)}${completionOf(option.value)} -d ${quotedForFish(option.description)}`,
    ),
  ];
}

interface Patterns {
  readonly steps: readonly string[];
  readonly valued: readonly string[];
}

/** Returns the functions that print the first argument of a command and the names that may follow. */
const namesFunctions = (program: string, { steps, valued }: Patterns): string =>
  `function __${program}_operand
    set -l at ${program}
    set -l isValue no
    for word in (commandline -opc)[2..-1]
        if test $isValue = yes
            set isValue no
            continue
        end
        switch "$at $word"
            case ${steps.join(' ')}
                set at "$at $word"
            case ${valued.join(' ')}
                set isValue yes
            case "$at -*"
            case '*'
                printf '%s\\n' $word
                return
        end
    end
end
function __${program}_names
    set -l operand (__${program}_operand)
    if test (count $argv) -gt 1; and test -n "$operand"
        ${program} ${NAMES_COMMAND} $argv[2] $operand 2>/dev/null
    else
        ${program} ${NAMES_COMMAND} $argv[1] (__${program}_place) 2>/dev/null
    end
end`;

/** Returns the completion script for fish. */
export function fishCompletion(tree: TreeCommand): string {
  const commands = allCommands(tree);
  const steps = commands.slice(1).map(({ path }) => quotedForFish(path));
  const valued = commands.flatMap(({ path, options }) =>
    options
      .filter(({ value }) => value.kind !== 'none')
      .map(({ flag }) => quotedForFish(`${path} ${flag}`)),
  );
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
${namesFunctions(tree.name, { steps, valued })}
complete -c ${tree.name} -f
complete -c ${tree.name} -l help -d 'display help'
${commands.flatMap((command) => linesOf(command, tree.name)).join('\n')}
`;
}
