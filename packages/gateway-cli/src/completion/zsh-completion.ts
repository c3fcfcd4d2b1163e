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
      return '_files -/; return';
    case 'choice':
      return `compadd -- ${value.choices.map(quotedForShell).join(' ')}; return`;
  }
}

/** Returns `word:description` with the colons of the word escaped. */
const describedWord = ({ word, description }: { word: string; description: string }): string =>
  quotedForShell(`${word.replaceAll(':', '\\:')}:${description}`);

/** Returns the loop that finds the command of the line, in `at`, and its first argument. */
const placeLoop = (steps: string, valued: string): string =>
  `  for ((i = 2; i < CURRENT; i++)); do
    case "$at $words[i]" in
    ${steps}) at="$at $words[i]" ;;
    ${valued}) i=$((i + 1)) ;;
    *) [[ $words[i] == -* ]] || operand=\${operand:-$words[i]} ;;
    esac
  done`;

/** Returns the completion script for zsh. */
export function zshCompletion(tree: TreeCommand): string {
  const commands = allCommands(tree);
  const { steps, valued, values, names } = shellCases(tree, completionOf);
  const words = commands.map((command) =>
    caseLine(command.path, `found=(${wordsAfter(command).map(describedWord).join(' ')})`),
  );
  return `#compdef ${tree.name}
# Completion of ${tree.name} for zsh. In ~/.zshrc, after compinit:  source <(${tree.name} completion zsh)
_${tree.name}() {
  local at=${tree.name}
  local names='' operand=''
  local -a found place arguments
  integer i
${placeLoop(steps, valued)}
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
  _describe ${quotedForShell(tree.name)} found
}
if [ "$funcstack[1]" = "_${tree.name}" ]; then _${tree.name} "$@"; else compdef _${tree.name} ${tree.name}; fi
`;
}
