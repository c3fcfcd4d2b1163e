import { Anchor } from '@mantine/core';
import { createLink } from '@tanstack/react-router';

/** A link to another page, with the appearance of links in text. */
export const PageLink = createLink(Anchor<'a'>);
