import {
  isTemplate,
  MAX_TEMPLATE_CHARS,
  parseTemplate,
  parseText,
  valueTemplateOf,
  type JsonMap,
  type JsonValue,
  type Template,
  type TemplateProblem,
  type ValueTemplate,
} from '@gateway/go-template';
import * as z from 'zod/mini';
import { boundedText } from '../../fields/bounded-text.ts';
import { copyJson } from '../../fields/copy-json.ts';
import { withFacts } from '../../fields/field-facts.ts';
import { isMapping } from '../../fields/is-mapping.ts';
import { kindOf } from '../../fields/kind-of.ts';
import { pushIssues } from '../../fields/push-issues.ts';
import type { ValidationIssue } from '../../resource/validation-issue.ts';
import type { Templated } from '../model/workflow.ts';

/** Returns the problem of a template with its place in the text. */
export const placedText = ({ line, column, message }: TemplateProblem): string =>
  `template line ${String(line)}, column ${String(column)}: ${message}`;

interface TemplatedCopy<Source extends JsonValue> {
  readonly value: Templated<Source>;
  readonly problems: readonly ValidationIssue[];
}

/** Copies a value and parses the templates in it, each distinct text once. */
const copyTemplated = <Source extends JsonValue>(input: unknown): TemplatedCopy<Source> => {
  let templates: Map<string, Template> | undefined;
  const { value, problems } = copyJson(input, (text) => {
    if (!isTemplate(text) || templates?.has(text) === true) return undefined;
    const parsed = parseTemplate(text);
    if (!parsed.ok) return placedText(parsed);
    templates ??= new Map();
    templates.set(text, parsed.template);
    return undefined;
  });
  // A copy of a mapping is a mapping.
  const source = value as Source;
  const parsed: ValueTemplate =
    templates === undefined || problems.length > 0
      ? { kind: 'constant', value }
      : valueTemplateOf(value, templates);
  return { value: Object.freeze({ source, parsed }), problems };
};

/** Placeholder for the value of a field with problems; nothing reads it. */
const INVALID: Templated<JsonMap> = Object.freeze({
  source: Object.freeze({}),
  parsed: { kind: 'constant' as const, value: null },
});

/** Returns a JSON value whose texts may be templates. The source is frozen, and its maps have no prototype. @spec §2.7 */
export const templatedValue = () =>
  withFacts(
    { json: 'value' },
    z.pipe(
      z.unknown(),
      z.transform((input, context): Templated => {
        const { value, problems } = copyTemplated(input);
        pushIssues(context, input, problems);
        return value;
      }),
    ),
  );

/** Returns a mapping of JSON values whose texts may be templates. @spec §2.7 */
export const templatedMap = () =>
  withFacts(
    { json: 'mapping' },
    z.pipe(
      z.unknown(),
      z.transform((input, context): Templated<JsonMap> => {
        const { value, problems } = isMapping(input)
          ? copyTemplated<JsonMap>(input)
          : {
              value: INVALID,
              problems: [{ path: [], message: `must be a mapping, not ${kindOf(input)}` }],
            };
        pushIssues(context, input, problems);
        return value;
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
    const value: ValueTemplate =
      template === undefined ? { kind: 'constant', value: source } : { kind: 'template', template };
    return Object.freeze({ source, parsed: value });
  }),
);
