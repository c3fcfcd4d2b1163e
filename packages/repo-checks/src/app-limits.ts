import type { SourceText } from './repository-files.ts';

/** Words in one text of an application, without the description of a command or an option. */
const MAX_TEXT_WORDS = 6;

const COMMENT = /\/\*[^]*?\*\/|^\s*\/\/[^\n]*$/gm;
/** Texts that describe a command to its user, and log messages: they refuse nothing. */
const DESCRIPTION =
  /(?:\.(?:description|summary|option|requiredOption|argument|addHelpText|name|usage|trace|debug|info|warn|error|fatal)|new (?:Option|Argument))\((?:[^()]|\([^()]*\))*\)/g;
const IMPORT = /^(?:import|export)\b[^;]*?from '[^']*';/gm;
const TEXT =
  /'(?<single>(?:[^'\\\n]|\\.)*)'|"(?<double>(?:[^"\\\n]|\\.)*)"|`(?<template>(?:[^`\\]|\\.)*)`/g;

/** The place where two texts with the same quotes are concatenated. */
const CONCATENATION = /(['"`])\s*\+\s*\1/g;

const findLongTexts = (text: string): readonly string[] => {
  const code = text
    .replaceAll(COMMENT, '')
    .replaceAll(IMPORT, '')
    .replaceAll(DESCRIPTION, '')
    .replaceAll(CONCATENATION, '');
  return [...code.matchAll(TEXT)]
    .map(({ groups = {} }) => groups['single'] ?? groups['double'] ?? groups['template'] ?? '')
    .map((found) => found.replaceAll(/\$\{[^}]*\}/g, 'x').trim())
    .filter((found) => found.split(/\s+/).length > MAX_TEXT_WORDS);
};

const findFileProblems = ({ file, text }: SourceText): readonly string[] => [
  ...(text.includes('@spec') ? [`${file} cites the spec: a rule belongs in a package`] : []),
  ...(text.includes('requirement(')
    ? [`${file} proves a requirement: it belongs in the tests of a package`]
    : []),
  ...findLongTexts(text).map(
    (found) =>
      `${file} has the text ${JSON.stringify(found)}: a text of more than ${String(MAX_TEXT_WORDS)} words belongs in a package`,
  ),
];

/**
 * Returns where an application is more than a composition root: a citation of the spec, or a text that refuses
 * something. A text is taken for a refusal when it has more than six words and is neither logged nor the description of a command.
 * @param sources the files of its `src`
 */
export const findAppProblems = (sources: readonly SourceText[]): readonly string[] =>
  sources.flatMap(findFileProblems);
