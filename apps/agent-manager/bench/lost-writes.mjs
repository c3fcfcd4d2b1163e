const descriptionIn = (text) => /^\s+description: (.*)$/mu.exec(text)?.[1];

/**
 * The acknowledged writes that the files do not show, and files that nobody wrote whole.
 *
 * @param expected by name, the description that was acknowledged last, or `undefined` for an agent that is gone
 */
export const lostWrites = (store, expected) => {
  const files = new Set(store.files());
  const lost = [...expected].filter(([name, description]) => {
    const isThere = files.has(`${name}.yaml`);
    return description === undefined
      ? isThere
      : !isThere || descriptionIn(store.text(name)) !== description;
  });
  const strange = [...files].filter((file) => !/^(?:agent|made)-\d+\.yaml$/u.test(file));
  return { lost: lost.map(([name]) => name), strange };
};
