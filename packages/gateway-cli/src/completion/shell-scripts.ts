import {
  listTreeCommands,
  type ArgumentKind,
  type NameKind,
  NAMES_COMMAND,
  type TreeCommand,
  type TreeOption,
  type CompletionKind,
  listNextWords,
} from './command-tree.ts';

const quoteShellWord = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;

const quoteFishWord = (text: string): string =>
  `'${text.replaceAll('\\', '\\\\').replaceAll("'", `\\'`)}'`;

const PLAIN = /^[\w@%+=:,./-]+$/u;

/** Returns the text as one word of a command to copy: quoted only where a shell would change it. */
export const formatShellWord = (text: string): string =>
  PLAIN.test(text) ? text : quoteShellWord(text);

const formatCase = (pattern: string, action: string): string =>
  `    ${quoteShellWord(pattern)}) ${action} ;;`;

/** The branches that bash and zsh scripts have in common. */
interface ShellCases {
  readonly steps: string;
  readonly values: string;
  /** The options that take a value, with the paths of their commands, as one pattern. */
  readonly valued: string;
  /** A branch for each command whose arguments are names. It sets the variable `names` to their kind; `operand` is the first argument. */
  readonly names: string;
}

const formatNamesAction = (kind: NameKind, argumentNames: ArgumentKind | undefined): string =>
  argumentNames === undefined
    ? `names=${kind}`
    : `names=${kind}; [[ -n $operand ]] && { names=${argumentNames}; place=("$operand"); }`;

/**
 * Returns the branches of a completion script that do not depend on the shell.
 *
 * @param completionOf returns the shell code that completes a value of this kind
 */
function createShellCases(
  tree: TreeCommand,
  completionOf: (value: CompletionKind) => string,
): ShellCases {
  const commands = listTreeCommands(tree);
  const valued = commands.flatMap(({ path, options }) =>
    options
      .filter(({ value }) => value.kind !== 'none')
      .map(({ flag, value }) => ({ place: `${path} ${flag}`, value })),
  );
  const values = valued.map(({ place, value }) => formatCase(place, completionOf(value)));
  const steps = commands.slice(1).map(({ path }) => quoteShellWord(path));
  const names = commands.flatMap(({ path, names: kind, argumentNames }) =>
    kind === undefined ? [] : [formatCase(path, formatNamesAction(kind, argumentNames))],
  );
  return {
    steps: steps.join('|'),
    valued: valued.map(({ place }) => quoteShellWord(place)).join('|'),
    values: values.join('\n'),
    names: names.join('\n'),
  };
}

function completeBashValue(value: CompletionKind): string {
  switch (value.kind) {
    case 'none':
      return '';
    case 'free':
      return 'return';
    case 'directory':
      return 'COMPREPLY=($(compgen -d -- "$current")); return';
    case 'choice':
      return `COMPREPLY=($(compgen -W ${quoteShellWord(value.choices.join(' '))} -- "$current")); return`;
  }
}

/** Returns the loop that finds the command of the line, in `at`, and its first argument. For bash, `=` and `:` are words of their own. */
const formatBashLoop = (steps: string, valued: string): string =>
  `  for ((i = 1; i < COMP_CWORD; i++)); do
    case "$at \${COMP_WORDS[i]}" in
    ${steps}) at="$at \${COMP_WORDS[i]}" ;;
    ${valued})
      i=$((i + 1))
      [[ \${COMP_WORDS[i]} == = ]] && i=$((i + 1))
      while [[ \${COMP_WORDS[i + 1]} == : ]]; do i=$((i + 2)); done
      ;;
    *) [[ \${COMP_WORDS[i]} == -* ]] || operand="\${operand:-\${COMP_WORDS[i]}}" ;;
    esac
  done`;

export function renderBashCompletion(tree: TreeCommand): string {
  const commands = listTreeCommands(tree);
  const { steps, valued, values, names } = createShellCases(tree, completeBashValue);
  const words = commands.map((command) => {
    const list = listNextWords(command).map(({ word }) => word);
    return formatCase(command.path, `words=${quoteShellWord(list.join(' '))}`);
  });
  return `# Completion of ${tree.name} for bash. In ~/.bashrc:  source <(${tree.name} completion bash)
_${tree.name}() {
  local current="\${COMP_WORDS[COMP_CWORD]}" previous="\${COMP_WORDS[COMP_CWORD-1]}"
  local at=${tree.name} words='' names='' operand='' name i
  local -a place=()
  COMPREPLY=()
${formatBashLoop(steps, valued)}
  case "$at $previous" in
${values}
  esac
  case "$at" in
${words.join('\n')}
  esac
  COMPREPLY=($(compgen -W "$words" -- "$current"))
  case "$at" in
${names}
  esac
  [[ -n $names && $current != -* && $current != = && $previous != = ]] || return 0
  for ((i = 1; i < COMP_CWORD; i++)); do
    [[ \${COMP_WORDS[i]} == --config-dir ]] && place+=(--config-dir "\${COMP_WORDS[i+1]}")
  done
  while IFS= read -r name; do
    [[ $name == "$current"* ]] && COMPREPLY+=("$name")
  done < <(${tree.name} ${NAMES_COMMAND} "$names" "\${place[@]}" 2>/dev/null)
  # The value follows the name of an argument without a space.
  if [[ $names == *-arguments ]]; then compopt -o nospace 2>/dev/null; fi
  return 0
}
complete -F _${tree.name} ${tree.name}
`;
}

function completeZshValue(value: CompletionKind): string {
  switch (value.kind) {
    case 'none':
      return '';
    case 'free':
      return 'return';
    case 'directory':
      return '_files -/; return';
    case 'choice':
      return `compadd -- ${value.choices.map(quoteShellWord).join(' ')}; return`;
  }
}

/** Returns `word:description` with the colons of the word escaped. */
const describeWord = ({ word, description }: { word: string; description: string }): string =>
  quoteShellWord(`${word.replaceAll(':', '\\:')}:${description}`);

/** Returns the loop that finds the command of the line, in `at`, and its first argument. */
const formatZshLoop = (steps: string, valued: string): string =>
  `  for ((i = 2; i < CURRENT; i++)); do
    case "$at $words[i]" in
    ${steps}) at="$at $words[i]" ;;
    ${valued}) i=$((i + 1)) ;;
    *) [[ $words[i] == -* ]] || operand=\${operand:-$words[i]} ;;
    esac
  done`;

export function renderZshCompletion(tree: TreeCommand): string {
  const commands = listTreeCommands(tree);
  const { steps, valued, values, names } = createShellCases(tree, completeZshValue);
  const words = commands.map((command) =>
    formatCase(command.path, `found=(${listNextWords(command).map(describeWord).join(' ')})`),
  );
  return `#compdef ${tree.name}
# Completion of ${tree.name} for zsh. In ~/.zshrc, after compinit:  source <(${tree.name} completion zsh)
_${tree.name}() {
  local at=${tree.name}
  local names='' operand=''
  local -a found place arguments
  integer i
${formatZshLoop(steps, valued)}
  case "$at $words[CURRENT-1]" in
${values}
  esac
  case "$at" in
${words.join('\n')}
  esac
  case "$at" in
${names}
  esac
  if [[ -n $names && $PREFIX != -* ]]; then
    i=\${words[(I)--config-dir]}
    ((i)) && place+=(--config-dir "$words[i+1]")
    arguments=(\${(f)"$(${tree.name} ${NAMES_COMMAND} $names $place 2>/dev/null)"})
    # The value follows the name of an argument without a space.
    if [[ $names == *-arguments ]]; then compadd -S '' -a arguments; else found+=($arguments); fi
  fi
  _describe ${quoteShellWord(tree.name)} found
}
if [ "$funcstack[1]" = "_${tree.name}" ]; then _${tree.name} "$@"; else compdef _${tree.name} ${tree.name}; fi
`;
}

function completeFishValue(value: CompletionKind): string {
  switch (value.kind) {
    case 'none':
      return '';
    case 'free':
      return ' -x';
    case 'directory':
      return ` -xa '(__fish_complete_directories)'`;
    case 'choice':
      return ` -xa ${quoteFishWord(value.choices.join(' '))}`;
  }
}

const toLongFlag = ({ flag }: TreeOption): string => flag.replace(/^--/u, '');

function formatLines(
  { path, commands, choices, names, argumentNames, options }: TreeCommand,
  program: string,
): readonly string[] {
  const prefix = `complete -c ${program} -n ${quoteFishWord(`__${program}_at ${quoteFishWord(path)}`)}`;
  return [
    ...commands.map(
      ({ name, description }) => `${prefix} -a ${name} -d ${quoteFishWord(description)}`,
    ),
    ...choices.map((choice) => `${prefix} -a ${quoteFishWord(choice)}`),
    ...(names === undefined
      ? []
      : [
          `${prefix} -a ${quoteFishWord(`(${[`__${program}_names`, names, argumentNames ?? ''].join(' ').trimEnd()})`)}`,
        ]),
    ...options.map(
      (option) =>
        `${prefix} -l ${toLongFlag(option)}${completeFishValue(option.value)} -d ${quoteFishWord(option.description)}`,
    ),
  ];
}

interface Patterns {
  readonly steps: readonly string[];
  readonly valued: readonly string[];
}

/** Returns the functions that print the first argument of a command and the names that may follow. */
const formatNameFunctions = (program: string, { steps, valued }: Patterns): string =>
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

export function renderFishCompletion(tree: TreeCommand): string {
  const commands = listTreeCommands(tree);
  const steps = commands.slice(1).map(({ path }) => quoteFishWord(path));
  const valued = commands.flatMap(({ path, options }) =>
    options
      .filter(({ value }) => value.kind !== 'none')
      .map(({ flag }) => quoteFishWord(`${path} ${flag}`)),
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
${formatNameFunctions(tree.name, { steps, valued })}
complete -c ${tree.name} -f
complete -c ${tree.name} -l help -d 'display help'
${commands.flatMap((command) => formatLines(command, tree.name)).join('\n')}
`;
}
