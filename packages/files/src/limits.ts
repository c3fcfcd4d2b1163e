/** The maximum size of a text file, in bytes, unless the caller sets another limit. */
export const MAX_FILE_BYTES = 1_048_576;
/** The maximum size of a record, in bytes. */
export const MAX_RECORD_BYTES = 8_388_608;
/** The maximum nesting depth of a YAML document. */
export const MAX_DEPTH = 100;
/** The maximum number of documents in one YAML text. */
export const MAX_DOCUMENTS = 100;
/** The maximum number of tokens in one YAML text. */
export const MAX_LEXEMES = 500_000;
/** The maximum number of values in one YAML document, with every alias expanded. */
export const MAX_VALUES = 200_000;
/** The maximum number of problems reported for one YAML text. */
export const MAX_PROBLEMS = 20;
