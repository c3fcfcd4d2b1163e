import type { JsonValue } from '@gateway/go-template';

/** The data that the templates of a workflow refer to. A type alias, since an interface has no implicit index signature. @spec §2.7 */
export type TemplateData = {
  readonly input: JsonValue;
  readonly results: JsonValue;
  readonly vars: JsonValue;
  /** An alias of `results`. */
  readonly context: JsonValue;
  /** The result that a `jsonPath` template checks. */
  readonly result?: JsonValue;
};
