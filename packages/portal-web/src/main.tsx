import '@mantine/core/styles.css';
import { createRoot } from 'react-dom/client';
import { Application } from './app/application.tsx';

const root = document.getElementById('root');
if (root === null) throw new Error('the page has no root');
createRoot(root).render(<Application />);
