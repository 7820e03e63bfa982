const o=2967,t=[2967,8205,586];import{modules as s}from"./8205.index.js";export{o as id,t as ids,s as modules};
