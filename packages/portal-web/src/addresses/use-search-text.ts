import { useDebouncedCallback } from '@mantine/hooks';
import { useEffect, useRef, useState } from 'react';

const DEBOUNCE_MS = 200;

/** The text of a search field, and what changes it. */
interface SearchText {
  readonly text: string;
  readonly setText: (text: string) => void;
}

/**
 * Returns the text of a search field whose value is in the address. The address follows the text after a pause; the text follows the
 * address when something else changes it, such as a link.
 *
 * @param onSearch changes the address
 */
export const useSearchText = (query: string, onSearch: (query: string) => void): SearchText => {
  const [text, setText] = useState(query);
  const sent = useRef(query);
  const send = useDebouncedCallback((next: string) => {
    sent.current = next;
    onSearch(next);
  }, DEBOUNCE_MS);
  useEffect(() => {
    if (query === sent.current) return;
    sent.current = query;
    setText(query);
  }, [query]);
  return {
    text,
    setText: (next) => {
      setText(next);
      send(next);
    },
  };
};
