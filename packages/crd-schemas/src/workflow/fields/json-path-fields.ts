import { isTemplate, parsePath, parseTemplate } from '@gateway/go-template';
import { keyedList } from '../../fields/keyed-map.ts';
import type { ReadKey } from '../../fields/keyed-map-bounds.ts';
import { MAX_JSON_PATHS, MAX_JSON_PATH_CHARS } from '../../resource/limits.ts';
import type { ResultPlace } from '../model/workflow.ts';
import { placedText, templatedValue } from './templated-fields.ts';

/** Parses a key of `jsonPath`: a path, or a template over `.result`, as soon as it has `{{`. @spec §2.7 jsonPath */
const readPlace: ReadKey<ResultPlace> = (written) => {
  if (isTemplate(written)) {
    const parsed = parseTemplate(written);
    return parsed.ok
      ? { ok: true, key: Object.freeze({ kind: 'template', template: parsed.template }) }
      : { ok: false, message: placedText(parsed) };
  }
  const parsed = parsePath(written);
  return parsed.ok
    ? { ok: true, key: Object.freeze({ kind: 'path', path: parsed.path }) }
    : { ok: false, message: parsed.message };
};

/** `jsonPath` of an expectation: places in the result with their expected values. @spec §2.7 jsonPath */
export const jsonPathFields = keyedList(
  templatedValue(),
  { key: { max: MAX_JSON_PATH_CHARS }, maxEntries: MAX_JSON_PATHS },
  readPlace,
);
