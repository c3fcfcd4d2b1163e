/** The most files of one folder, and releases of one namespace. */
export const MAX_FILES = 20_000;
/** The most bytes of one file. */
export const MAX_FILE_BYTES = 4_194_304;
/** The most files with models. */
export const MAX_MODEL_FILES = 1_000;
/** Misnamed files of one folder that are told of. */
export const MAX_TOLD_FILES = 100;
/** Files that are read at once: enough to keep the file system busy. */
export const FILES_AT_ONCE = 16;
/** Files that are read without a turn for others between them: as many as are written between two lists. */
export const FEW_FILES = 32;
/** Files that are looked at before others have a turn, when all are looked at to be sure. */
export const FILES_OF_A_TURN = 100;
/** Own writes whose content need not be parsed when it is read back. */
export const MAX_KNOWN_TEXTS = 1_000;

/** After how long a change that was reported is taken in, if nobody asks before, in milliseconds. */
export const TAKE_IN_MS = 50;
/** How often those who watch are served where the system reports nothing, in milliseconds. */
export const POLL_MS = 1_000;
/** Within this time two versions of a file may look the same from outside, in milliseconds. */
export const SAME_LOOK_MS = 2_000;
/** After how long a list has all files looked at, for changes that no system reports, in milliseconds. */
export const COMPARE_MS = 10_000;
/** Reports of one turn after which some may have been dropped; Linux holds 16,384, of which other folders may have most. */
export const FULL_LINE = 4_096;

/** Longer than anybody is at work on one file, in milliseconds. */
export const LONGEST_WRITE_MS = 10_000;
/** How long a write waits for others that are at the same file, in milliseconds. */
export const WAIT_FOR_OTHERS_MS = 20_000;
/** How often what dead processes left is swept from a folder that is written to, in milliseconds. */
export const SWEEP_MS = 60_000;
