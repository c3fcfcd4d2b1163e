import type { TextCheck } from '../../fields/copy-json.ts';
import {
  pathProblem,
  parseTemplate,
  templateProblem,
  type TemplateProblem,
} from '@gateway/go-template';

const placedText = ({ line, column, message }: TemplateProblem): string =>
  `template line ${String(line)}, column ${String(column)}: ${message}`;

/** What is wrong with a value that may be a template, with the place inside it: `{{` and `}}` make it one. @spec §2.7 */
export const templateCheck: TextCheck = (text) => {
  const problem = templateProblem(text);
  return problem === undefined ? undefined : placedText(problem);
};

/** What is wrong with a text that is always a template. @spec §2.7 condition.template, forEach.items */
export const wholeTemplateCheck: TextCheck = (text) => {
  const parsed = parseTemplate(text);
  return parsed.ok ? undefined : placedText(parsed);
};

/** What is wrong with a key of `jsonPath`: a path, or a template over `.result`, as soon as it has `{{`. @spec §2.7 jsonPath */
export const resultPathCheck: TextCheck = (text) =>
  text.includes('{{') ? wholeTemplateCheck(text) : pathProblem(text);
