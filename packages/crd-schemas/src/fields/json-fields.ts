import * as z from 'zod/mini';
import type { JsonValue } from '@gateway/go-template';
import { copyJson } from './copy-json.ts';
import { withFacts } from './field-facts.ts';
import { pushIssues } from './push-issues.ts';

/** Returns a JSON value within bounds. The result is frozen, and its maps have no prototype. */
export const jsonValue = () =>
  withFacts(
    { json: 'value' },
    z.pipe(
      z.unknown(),
      z.transform((input, context): JsonValue => {
        const { value, problems } = copyJson(input);
        pushIssues(context, input, problems);
        return value;
      }),
    ),
  );
