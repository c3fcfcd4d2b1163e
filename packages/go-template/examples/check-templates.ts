import {
  isTemplate,
  isTemplateFunctionName,
  parsePath,
  parseTemplate,
  pathProblem,
  placeOf,
  TEMPLATE_FUNCTIONS,
  templateFunctionArity,
  templateProblem,
} from '@gateway/go-template';

/** What an editor underlines. */
export const underline = (text: string): string => {
  const problem = isTemplate(text) ? templateProblem(text) : undefined;
  return problem === undefined
    ? 'fine'
    : `${String(problem.line)}:${String(problem.column)} ${problem.message}`;
};

/** Where a character of a text stands, counted from 1. */
export const place = placeOf('a\nbc', 3);

/** What an editor offers: names of functions, with how many arguments they take. */
export const offers = Object.keys(TEMPLATE_FUNCTIONS)
  .filter((name) => isTemplateFunctionName(name) && name.startsWith('trimS'))
  .map((name) => [name, templateFunctionArity(name)] as const);

/** A template and a path as trees. */
export const template = parseTemplate('{{ .input.name | upper }}');
export const path = parsePath('items[0].name');
export const wrongPath = pathProblem('items[');
