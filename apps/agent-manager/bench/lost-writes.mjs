const descriptionIn = (text) => /^\s+description: (.*)$/mu.exec(text)?.[1];

/**
 * Returns the acknowledged writes that are missing in the files, and the files with invalid content.
 *
 * @param expected by name, the last acknowledged description, or `undefined` for a deleted agent
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
