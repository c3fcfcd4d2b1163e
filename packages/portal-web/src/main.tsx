import '@mantine/core/styles.css';
import { setNonce } from 'get-nonce';
import { createRoot } from 'react-dom/client';
import { Application, readStyleNonce } from './app/application.tsx';

const root = document.getElementById('root');
if (root === null) throw new Error('the page has no root');
// Dialogs stop the page from scrolling with a style of their own.
setNonce(readStyleNonce());
createRoot(root).render(<Application />);
