import { Validator } from '@cfworker/json-schema';
import { at, without } from '../values/lenient.ts';
import type { Json } from '../store/objects.ts';
import { mergeDefaults } from './merge-defaults.ts';
import { schemaProblem } from './schema-problem.ts';
import { valuesLimitProblem } from './values-limit-problem.ts';

/** The defaults and the schema of a chart. */
export interface ChartFacts {
  readonly defaults: Json;
  readonly schema: Json;
}

const draftOf = (schema: Json): '7' | '2020-12' =>
  String(at(schema, '$schema')).includes('2020-12') ? '2020-12' : '7';

/**
 * Validates values merged over the defaults of a chart, in bounded time. A chart from before toolsets does not know `toolset`, which
 * is then left out: what is declared does not depend on the version that is validated by.
 */
export const createValuesValidator = ({
  defaults,
  schema,
}: ChartFacts): ((values: Json) => readonly string[]) => {
  const validator = new Validator(structuredClone(schema), draftOf(schema), false);
  const knowsToolset = at(schema, 'properties', 'toolset') !== undefined;
  return (values) => {
    const obstacle = valuesLimitProblem(values);
    if (obstacle !== undefined) return [`(root): ${obstacle}`];
    const validated = knowsToolset ? values : without(values, 'toolset');
    const { errors } = validator.validate(mergeDefaults(defaults, validated));
    return [...new Set(errors.flatMap((unit) => schemaProblem(schema, unit)))].sort();
  };
};
