// The script of the byte pair lab, on a page that has one.

import { startPieces } from "./widgets/pieces.js"

startPieces()
