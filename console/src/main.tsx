import { render } from 'preact'
import { App } from './frame/app.tsx'
import './style/base.css'
import './style/frame.css'
import './style/parts.css'

render(<App />, document.getElementById('console') as HTMLElement)
