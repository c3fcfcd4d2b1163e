/** The most bytes of one file. */
export const MAX_FILE_BYTES = 1_048_576;
/** The most resource files of one directory. */
export const MAX_RESOURCE_FILES = 4_096;
/** The most bytes of one record. */
export const MAX_RECORD_BYTES = 8_388_608;
/** How deep a document may nest. */
export const MAX_DEPTH = 100;
/** The most documents of one text. */
export const MAX_DOCUMENTS = 100;
/** The most tokens of one text. */
export const MAX_LEXEMES = 500_000;
/** The most values of one document, with every alias written out. */
export const MAX_VALUES = 200_000;
/** The most problems that one file reports. */
export const MAX_PROBLEMS_PER_FILE = 100;

/** How long a file must be left alone before it is read, in milliseconds. */
export const DEFAULT_DEBOUNCE_MS = 100;
/** How long a file that is gone or wrong keeps its last good version, in milliseconds. */
export const GRACE_MS = 300;
/** How long a change may stay unnoticed when the operating system reports nothing, in milliseconds. */
export const RESCAN_MS = 400;
