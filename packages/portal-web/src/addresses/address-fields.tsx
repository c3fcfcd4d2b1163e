import { TextInput, type TextInputProps } from '@mantine/core';
import { useDebouncedCallback, useHotkeys } from '@mantine/hooks';
import { type ReactNode, useEffect, useRef, useState } from 'react';

const DEBOUNCE_MS = 200;

interface SearchFieldProps extends Omit<TextInputProps, 'value' | 'onChange'> {
  readonly query: string | undefined;
  /** Changes the address. */
  readonly onSearch: (query: string) => void;
}

/**
 * A search field whose value is in the address. The address follows the text after a pause; the text follows the address when something
 * else changes it, such as a link. The key `/` leads to it.
 */
export const SearchField = ({ query = '', onSearch, ...props }: SearchFieldProps): ReactNode => {
  const [text, setText] = useState(query);
  const sent = useRef(query);
  const field = useRef<HTMLInputElement>(null);
  useHotkeys([['/', () => field.current?.focus()]]);
  const send = useDebouncedCallback((next: string) => {
    sent.current = next;
    onSearch(next);
  }, DEBOUNCE_MS);
  useEffect(() => {
    if (query === sent.current) return;
    sent.current = query;
    setText(query);
  }, [query]);
  return (
    <TextInput
      ref={field}
      type="search"
      value={text}
      onChange={({ currentTarget }) => {
        setText(currentTarget.value);
        send(currentTarget.value);
      }}
      {...props}
    />
  );
};
