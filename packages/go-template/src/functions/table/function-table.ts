import type { TemplateFunctionName } from '../../syntax/arities/template-functions.ts';
import { GO_FUNCTIONS } from '../go/go-functions.ts';
import { choiceFunctions } from '../choices/choice-functions.ts';
import { conversionFunctions } from '../conversions/conversion-functions.ts';
import { dateFunctions } from '../dates/date-functions.ts';
import { dictFunctions } from '../dicts/dict-functions.ts';
import { encodingFunctions } from '../encoding/encoding-functions.ts';
import type { FunctionEntry } from '../definition/function-entry.ts';
import { jsonFunctions } from '../json/json-functions.ts';
import { listFunctions } from '../lists/list-functions.ts';
import { fractionFunctions } from '../numbers/fraction-functions.ts';
import { rangeFunctions } from '../numbers/range-functions.ts';
import { wholeFunctions } from '../numbers/whole-functions.ts';
import { pathFunctions } from '../paths/path-functions.ts';
import { regexFunctions } from '../regex/regex-functions.ts';
import { caseFunctions } from '../text/case-functions.ts';
import { layoutFunctions } from '../text/layout-functions.ts';
import { searchFunctions } from '../text/search-functions.ts';
import { textListFunctions } from '../text/text-list-functions.ts';
import { versionFunctions } from '../versions/version-functions.ts';

/**
 * Every template function by name: the built-in functions of Go's text/template, and the supported functions of Sprig.
 * The type of the table requires exactly the names that the parser accepts.
 *
 * @spec §2.7
 */
export const FUNCTION_TABLE = {
  ...GO_FUNCTIONS,
  ...choiceFunctions,
  ...layoutFunctions,
  ...searchFunctions,
  ...caseFunctions,
  ...textListFunctions,
  ...regexFunctions,
  ...wholeFunctions,
  ...fractionFunctions,
  ...rangeFunctions,
  ...listFunctions,
  ...dictFunctions,
  ...conversionFunctions,
  ...jsonFunctions,
  ...dateFunctions,
  ...encodingFunctions,
  ...versionFunctions,
  ...pathFunctions,
} satisfies Record<TemplateFunctionName, FunctionEntry>;
