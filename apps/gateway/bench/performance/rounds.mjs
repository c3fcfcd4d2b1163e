/** The reason for a figure that does not exist, on one line. */
const reasonOf = (error) =>
  (error instanceof Error ? error.message : String(error))
    .replaceAll(/\/[^\s:]+\/(?=[\w.-]+)/gu, '')
    .replaceAll(/\s+/gu, ' ')
    .slice(0, 200);

/**
 * Does one thing for an entry. A peer that fails takes no further part in the group, with the reason; the gateway and the baseline fail the run.
 */
export const attempt = async (entry, work) => {
  if (entry.no !== undefined) return;
  try {
    await work(entry);
  } catch (error) {
    if (entry.subject.isRequired) throw error;
    entry.no = reasonOf(error);
  }
};

/** Returns an entry for each subject on each Node that it is measured on, without figures. */
export const entriesOf = ({ subjects, nodes }, unable) =>
  subjects.flatMap((subject) =>
    nodes
      .filter((node) => subject.nodes?.includes(node.major) ?? true)
      .map((node) => ({ subject, node, no: unable(subject), rounds: {} })),
  );

/** Adds the figures of one round to an entry, by row. */
export const addRound = (entry, figures) => {
  for (const [row, value] of Object.entries(figures)) (entry.rounds[row] ??= []).push(value);
};

/** Does one round: every entry once, one right after the other, in the opposite order in every other round. */
export const round = async (entries, number, work) => {
  const ordered = number % 2 === 1 ? entries.toReversed() : entries;
  for (const entry of ordered) await attempt(entry, work);
};

/** Five digits, so that a recorded run stays readable. */
const rounded = (value) => Number(value.toPrecision(5));

/** Returns the figures of entries, one for each row: `rounds`, or the reason for which there are none. */
export const figuresOf = (entries, rows) =>
  entries.flatMap(({ subject, node, no, rounds }) =>
    rows.map((row) => ({
      row,
      subject: subject.id,
      node: node.major,
      ...(no === undefined ? { rounds: rounds[row].map(rounded) } : { no }),
    })),
  );
