import {
  isTemplateFunctionName,
  parsePath,
  parseTemplate,
  parseText,
  findPlace,
  TEMPLATE_FUNCTIONS,
  findFunctionArity,
} from '@gateway/go-template';

/** What an editor underlines. */
export const underline = (text: string): string => {
  const parsed = parseText(text);
  if (parsed.ok) return 'fine';
  const { line, column, message } = parsed.error;
  return `${String(line)}:${String(column)} ${message}`;
};

/** Where a character of a text stands, counted from 1. */
export const place = findPlace('a\nbc', 3);

/** What an editor offers: names of functions, with how many arguments they take. */
export const offers = Object.keys(TEMPLATE_FUNCTIONS)
  .filter((name) => isTemplateFunctionName(name) && name.startsWith('trimS'))
  .map((name) => [name, findFunctionArity(name)] as const);

/** A template and a path as trees. */
export const template = parseTemplate('{{ .input.name | upper }}');
export const path = parsePath('items[0].name');
export const wrongPath = parsePath('items[');
