const id=8050,ids=[8050],modules={98050:(module=>{module.exports=eval("require")("kerberos")})};export{id,ids,modules};
