const isUnclosed = (text: string): boolean => text.includes('{{') && !text.includes('}}');

/**
 * Whether a text anywhere in a JSON value opens an action and closes none, so that it is no template and is sent as it is.
 * Names of members are not looked at.
 *
 * @spec §2.7 templating
 */
export const holdsUnclosedTemplate = (value: unknown): boolean => {
  const waiting: unknown[] = [value];
  while (waiting.length > 0) {
    const next = waiting.pop();
    if (typeof next === 'string' && isUnclosed(next)) return true;
    if (typeof next !== 'object' || next === null) continue;
    for (const member of Object.values(next)) waiting.push(member);
  }
  return false;
};
