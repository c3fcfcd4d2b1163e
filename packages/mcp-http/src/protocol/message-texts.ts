import { isJsonObject } from '@gateway/call-contract';
import { keepText, textIn, type JsonSlice, type RequestedParts } from '@gateway/mcp-wire';

/** The parts of a client's message that are forwarded with the bytes that they came with. */
const MESSAGE: RequestedParts = {
  members: {
    params: {
      // `arguments` in `arguments` are those of the tool that `call_tool` calls.
      members: { arguments: { members: { arguments: {} } }, _meta: {}, inputResponses: {} },
    },
    result: {},
  },
};

/** The same, for a message or a batch. */
export const MESSAGE_TEXTS: RequestedParts = { ...MESSAGE, elements: MESSAGE };

/** Lets the forwarded parts of a parsed message keep their text. */
export const keepMessageTexts = (value: unknown, slice: JsonSlice, bytes: Uint8Array): void => {
  if (Array.isArray(value)) {
    for (const [index, element] of (slice.elements ?? []).entries())
      keepMemberTexts(value[index], element, bytes);
  } else keepMemberTexts(value, slice, bytes);
};

const keepMemberTexts = (value: unknown, { members }: JsonSlice, bytes: Uint8Array): void => {
  if (members === undefined || !isJsonObject(value)) return;
  for (const [name, member] of Object.entries(members)) {
    const part = value[name];
    if (!isJsonObject(part)) continue;
    // `params` are not forwarded as a whole.
    if (name !== 'params') keepText(part, textIn(bytes, member.from, member.to));
    keepMemberTexts(part, member, bytes);
  }
};
