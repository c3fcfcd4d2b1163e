import {
  MAX_TEMPLATE_CHARS,
  parseText,
  valueTemplateOf,
  type JsonMap,
  type JsonValue,
  type Template,
  type TemplateProblem,
} from '@gateway/go-template';
import * as z from 'zod/mini';
import { boundedText } from '../../fields/bounded-text.ts';
import { copyJson, type JsonCopy } from '../../fields/copy-json.ts';
import { withFacts } from '../../fields/field-facts.ts';
import { isMapping } from '../../fields/is-mapping.ts';
import { kindOf } from '../../fields/kind-of.ts';
import { pushIssues } from '../../fields/push-issues.ts';
import type { Templated } from '../model/workflow.ts';

/** Returns the problem of a template with its place in the text. */
export const placedText = ({ line, column, message }: TemplateProblem): string =>
  `template line ${String(line)}, column ${String(column)}: ${message}`;

interface TemplatedCopy extends JsonCopy {
  readonly templates: ReadonlyMap<string, Template>;
}

/** Copies a value and parses the templates in it, each distinct text once. */
const copyTemplated = (input: unknown): TemplatedCopy => {
  const templates = new Map<string, Template>();
  const copy = copyJson(input, (text) => {
    if (templates.has(text)) return undefined;
    const parsed = parseText(text);
    if (!parsed.ok) return placedText(parsed);
    if (parsed.template !== undefined) templates.set(text, parsed.template);
    return undefined;
  });
  return { ...copy, templates };
};

const templatedOf = <Source extends JsonValue>(
  source: Source,
  templates: ReadonlyMap<string, Template>,
): Templated<Source> =>
  Object.freeze({ source, parsed: valueTemplateOf(source, (text) => templates.get(text)) });

/** Placeholder for the value of a field with problems; nothing reads it. */
const INVALID: Templated<JsonMap> = templatedOf(Object.freeze({}), new Map());

/** A JSON value whose texts may be templates. The source is frozen, and its maps have no prototype. @spec §2.7 */
export const templatedValue = () =>
  withFacts(
    { json: 'value' },
    z.pipe(
      z.unknown(),
      z.transform((input, context): Templated => {
        const { value, problems, templates } = copyTemplated(input);
        pushIssues(context, input, problems);
        return problems.length > 0 ? INVALID : templatedOf(value, templates);
      }),
    ),
  );

/** A mapping of JSON values whose texts may be templates. @spec §2.7 */
export const templatedMap = () =>
  withFacts(
    { json: 'mapping' },
    z.pipe(
      z.unknown(),
      z.transform((input, context): Templated<JsonMap> => {
        const { value, problems, templates } = isMapping(input)
          ? copyTemplated(input)
          : {
              value: null,
              problems: [{ path: [], message: `must be a mapping, not ${kindOf(input)}` }],
              templates: new Map<string, Template>(),
            };
        pushIssues(context, input, problems);
        return problems.length > 0 ? INVALID : templatedOf(value as JsonMap, templates);
      }),
    ),
  );

/** A text that is rendered when the workflow runs. @spec §2.7 condition.template, forEach.items */
export const templateText = z.pipe(
  boundedText({ min: 1, max: MAX_TEMPLATE_CHARS }),
  z.transform((source, context): Templated<string> => {
    const parsed = parseText(source);
    if (!parsed.ok) {
      context.issues.push({ code: 'custom', input: source, message: placedText(parsed) });
    }
    const template = parsed.ok ? parsed.template : undefined;
    return Object.freeze({ source, parsed: valueTemplateOf(source, () => template) });
  }),
);
