import * as z from 'zod/mini';
import type { JsonMap, JsonValue } from '@gateway/go-template';
import { copyJson, type TextCheck } from './copy-json.ts';
import { withFacts } from './field-facts.ts';
import { isMapping } from './is-mapping.ts';
import { kindOf } from './kind-of.ts';

const EMPTY: JsonMap = Object.freeze(Object.create(null) as Record<string, JsonValue>);

/** Any value of JSON, within bounds. The result is frozen, and its maps have no prototype. */
export const jsonValue = (check?: TextCheck) =>
  withFacts(
    { json: 'value' },
    z.pipe(
      z.unknown(),
      z.transform((input, context): JsonValue => {
        const { value, problems } = copyJson(input, check);
        for (const { path, message } of problems) {
          context.issues.push({ code: 'custom', input, path: [...path], message });
        }
        return value;
      }),
    ),
  );

/** A mapping with values of JSON, within bounds. The result is frozen, and its maps have no prototype. */
export const jsonMap = (check?: TextCheck) =>
  withFacts(
    { json: 'mapping' },
    z.pipe(
      z.unknown(),
      z.transform((input, context): JsonMap => {
        const { value, problems } = isMapping(input)
          ? copyJson(input, check)
          : {
              value: EMPTY,
              problems: [{ path: [], message: `must be a mapping, not ${kindOf(input)}` }],
            };
        for (const { path, message } of problems) {
          context.issues.push({ code: 'custom', input, path: [...path], message });
        }
        return value as JsonMap;
      }),
    ),
  );
