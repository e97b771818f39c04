// An element with these properties
export const make = (name, properties) => Object.assign(document.createElement(name), properties)
