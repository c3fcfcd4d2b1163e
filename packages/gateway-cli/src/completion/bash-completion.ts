import { allCommands, wordsAfter, type TreeCommand, type ValueKind } from './command-tree.ts';
import { NAMES_COMMAND } from './completed-names.ts';
import { quotedForShell } from './quoted-for-shell.ts';
import { caseLine, shellCases } from './shell-cases.ts';

function completionOf(value: ValueKind): string {
  switch (value.kind) {
    case 'none':
      return '';
    case 'free':
      return 'return';
    case 'directory':
      return 'COMPREPLY=($(compgen -d -- "$current")); return';
    case 'choice':
      return `COMPREPLY=($(compgen -W ${quotedForShell(value.choices.join(' '))} -- "$current")); return`;
  }
}

/** Returns the loop that finds the command of the line, in `at`, and its first argument. For bash, `=` and `:` are words of their own. */
const placeLoop = (steps: string, valued: string): string =>
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

/** Returns the completion script for bash. */
export function bashCompletion(tree: TreeCommand): string {
  const commands = allCommands(tree);
  const { steps, valued, values, names } = shellCases(tree, completionOf);
  const words = commands.map((command) => {
    const list = wordsAfter(command).map(({ word }) => word);
    return caseLine(command.path, `words=${quotedForShell(list.join(' '))}`);
  });
  return `# Completion of ${tree.name} for bash. In ~/.bashrc:  source <(${tree.name} completion bash)
_${tree.name}() {
  local current="\${COMP_WORDS[COMP_CWORD]}" previous="\${COMP_WORDS[COMP_CWORD-1]}"
  local at=${tree.name} words='' names='' operand='' name i
  local -a place=()
  COMPREPLY=()
${placeLoop(steps, valued)}
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
