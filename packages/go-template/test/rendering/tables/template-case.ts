import type { JsonMap, JsonValue } from '../../../src/values/json-value.ts';

/** A template with what it gives over the data of its table, or the text of its refusal. */
export type TemplateCase =
  | { readonly template: string; readonly data?: JsonMap; readonly gives: JsonValue }
  | { readonly template: string; readonly data?: JsonMap; readonly fails: string };

/** Cases about one thing. `input` is what `.input` leads to, unless a case has its own. */
export interface TemplateTable {
  readonly about: string;
  readonly input: JsonMap;
  readonly cases: readonly TemplateCase[];
}
