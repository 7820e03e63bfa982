export const id = 2139;
export const ids = [2139];
export const modules = {

/***/ 35372:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   _: () => (/* binding */ repositoryOf)
/* harmony export */ });
/* unused harmony export ecrLogin */
/* harmony import */ var _lib_shape_js__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(29611);
/* harmony import */ var _wire_parse_js__WEBPACK_IMPORTED_MODULE_1__ = __webpack_require__(13453);
/* harmony import */ var _vm_image_registry_js__WEBPACK_IMPORTED_MODULE_2__ = __webpack_require__(61412);
/* harmony import */ var _signed_post_js__WEBPACK_IMPORTED_MODULE_3__ = __webpack_require__(5194);
/** The registry of an account (ECR): names of its repositories, and how a machine logs in to it. No SDK. */






/** https://docs.aws.amazon.com/AmazonECR/latest/userguide/Registries.html#registry_concepts */
const HOST = /^(\d{12})\.dkr[.-]ecr(?:-fips)?\.([a-z]{2,4}(?:-[a-z]+)+-\d)\.(?:amazonaws\.(?:com(?:\.cn)?|eu)|on\.aws)$/;
/** `undefined`: the image is in another registry. */
function repositoryOf(image) {
    const [host = '', ...path] = image.split('/');
    const [, account, region] = HOST.exec(host) ?? [];
    if (account === undefined || region === undefined)
        return undefined;
    return { account, region, name: path.join('/').replace(/(?::[^/:@]*)?(?:@.*)?$/, '') };
}
const given = (0,_lib_shape_js__WEBPACK_IMPORTED_MODULE_0__/* .object */ .Ik)({ authorizationData: (0,_lib_shape_js__WEBPACK_IMPORTED_MODULE_0__/* .list */ .p_)((0,_lib_shape_js__WEBPACK_IMPORTED_MODULE_0__/* .object */ .Ik)({ authorizationToken: (0,_lib_shape_js__WEBPACK_IMPORTED_MODULE_0__/* .text */ .Qq)(_vm_image_registry_js__WEBPACK_IMPORTED_MODULE_2__/* .MOST */ ._) }), 1) });
const refusal = (0,_lib_shape_js__WEBPACK_IMPORTED_MODULE_0__/* .object */ .Ik)({ __type: (0,_lib_shape_js__WEBPACK_IMPORTED_MODULE_0__/* .text */ .Qq)(_vm_image_registry_js__WEBPACK_IMPORTED_MODULE_2__/* .MOST */ ._) });
/** https://docs.aws.amazon.com/AmazonECR/latest/APIReference/API_GetAuthorizationToken.html : valid for twelve hours. */
async function ecrLogin({ side }, host, keys) {
    const [, , region] = HOST.exec(host) ?? [];
    if (region === undefined)
        return undefined;
    const url = new URL(side?.['ecr'] ?? `https://${serviceHost('api.ecr', region)}/`);
    const headers = {
        'content-type': 'application/x-amz-json-1.1',
        'x-amz-target': 'AmazonEC2ContainerRegistry_V20150921.GetAuthorizationToken',
    };
    const held = await keys();
    const time = new ServerTime();
    const ask = async () => askRegistry(url, signedPost(url, { headers, body: '{}' }, held, { region, service: 'ecr', date: time.now() }));
    const first = await ask();
    // The registry refuses a signature whose time is minutes off; its answer tells the right time.
    // https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_aws-signing.html
    const { ok, status, text: said } = !first.ok && time.learn(first.date) ? await ask() : first;
    if (!ok)
        throw new Error(`${url.host} answers ${status} ${codeIn(said)}; the role of the machine needs the right ecr:GetAuthorizationToken`);
    const { authorizationData } = parseShape(given, said);
    const [user = '', password = ''] = Buffer.from(authorizationData[0]?.authorizationToken ?? '', 'base64')
        .toString()
        .split(':');
    return { user, password };
}
function codeIn(said) {
    try {
        return parseShape(refusal, said).__type;
    }
    catch {
        // The page of a proxy: only its status says something.
        return '';
    }
}


/***/ }),

/***/ 50335:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   $J: () => (/* binding */ SHARED_ROLE),
/* harmony export */   Dk: () => (/* binding */ TAG),
/* harmony export */   EL: () => (/* binding */ bucketName),
/* harmony export */   Fo: () => (/* binding */ SWITCH),
/* harmony export */   S3: () => (/* binding */ roleName),
/* harmony export */   gI: () => (/* binding */ PATH),
/* harmony export */   hv: () => (/* binding */ groupName),
/* harmony export */   u2: () => (/* binding */ twinName),
/* harmony export */   zB: () => (/* binding */ isApart)
/* harmony export */ });
/* harmony import */ var _core_identity_js__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(82260);
/* harmony import */ var _vm_names_js__WEBPACK_IMPORTED_MODULE_1__ = __webpack_require__(70839);


const TAG = {
    id: 'tpi:id',
    incarnation: 'tpi:incarnation',
    name: 'tpi:name',
    mode: 'tpi:mode',
    /** ISO: when the deployment ends at the latest. */
    until: 'tpi:until',
    /** All facts of a deployment, in pieces (`tags.ts`). */
    facts: 'tpi:facts-',
};
/** The path of roles and instance profiles that tpi makes. */
const PATH = '/tpi/';
/** The role of machines whose caller may not create roles. Made once for an account. */
const SHARED_ROLE = 'tpi-machine';
/** Whether a region is in a partition with logins and prices of its own: China, GovCloud, the European cloud, the isolated ones. */
const isApart = (region) => /^(?:cn|us-gov|us-iso\w*|eu-iso\w*|eusc)-/.test(region);
/** Name of group, template and security group: each may have at least 128 characters. */
const groupName = ({ id, incarnation }) => `${id}-${incarnation}`;
/** 64 characters at most. https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_iam-quotas.html */
const roleName = (of) => (0,_core_identity_js__WEBPACK_IMPORTED_MODULE_0__/* .shortName */ .EU)(of, 64);
/** One for each account and region. Names of buckets are global, so each request names the owner. */
const bucketName = (account, region) => `tpi-${account}-${region}`;
/** The scheduled action that ends a group at the deadline. */
const SWITCH = 'tpi-deadline';
/** The group at full price beside a spot group (`spot: prefer`). */
const twinName = (of) => `${groupName(of)}${_vm_names_js__WEBPACK_IMPORTED_MODULE_1__/* .TWIN */ .Nl}`;


/***/ }),

/***/ 72139:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

__webpack_require__.r(__webpack_exports__);
/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   RIGHTS: () => (/* binding */ RIGHTS),
/* harmony export */   conditionOf: () => (/* binding */ conditionOf),
/* harmony export */   permissionsText: () => (/* binding */ permissionsText)
/* harmony export */ });
/* harmony import */ var _lib_record_js__WEBPACK_IMPORTED_MODULE_5__ = __webpack_require__(96645);
/* harmony import */ var _vm_permissions_js__WEBPACK_IMPORTED_MODULE_6__ = __webpack_require__(36371);
/* harmony import */ var _vm_region_js__WEBPACK_IMPORTED_MODULE_4__ = __webpack_require__(28035);
/* harmony import */ var _image_registry_js__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(35372);
/* harmony import */ var _names_js__WEBPACK_IMPORTED_MODULE_1__ = __webpack_require__(50335);
/* harmony import */ var _policy_js__WEBPACK_IMPORTED_MODULE_2__ = __webpack_require__(36557);
/* harmony import */ var _settings_js__WEBPACK_IMPORTED_MODULE_3__ = __webpack_require__(64582);
/** The least rights that a caller needs, each with its purpose, and the rights of machines. The printed policies derive from these lists. */







const ANY = ['*'];
const GROUPS = ['arn:PARTITION:autoscaling:*:*:autoScalingGroup:*:autoScalingGroupName/tpi-*'];
const ROLES = [`arn:PARTITION:iam::*:role${_names_js__WEBPACK_IMPORTED_MODULE_1__/* .PATH */ .gI}*`, `arn:PARTITION:iam::*:instance-profile${_names_js__WEBPACK_IMPORTED_MODULE_1__/* .PATH */ .gI}*`];
const BUCKET = ['arn:PARTITION:s3:::tpi-*'];
const RIGHTS = [
    { sid: 'Whoami', why: 'whose credentials these are', actions: ['sts:GetCallerIdentity'], resources: ANY },
    {
        sid: 'Look',
        why: 'networks, types, images, prices, machines and groups: none of these can be limited to those of tpi',
        actions: [
            'autoscaling:DescribeAutoScalingGroups',
            'autoscaling:DescribeScalingActivities',
            'ec2:DescribeImages',
            'ec2:DescribeInstances',
            'ec2:DescribeInstanceTypeOfferings',
            'ec2:DescribeInstanceTypes',
            'ec2:DescribeLaunchTemplates',
            'ec2:DescribeRegions',
            'ec2:DescribeRouteTables',
            'ec2:DescribeSecurityGroups',
            'ec2:DescribeSpotPriceHistory',
            'ec2:DescribeSubnets',
            'ec2:GetSpotPlacementScores',
            'servicequotas:GetServiceQuota',
        ],
        resources: ANY,
    },
    {
        sid: 'Images',
        why: 'the newest image of Ubuntu, Debian, Amazon Linux or the one for GPUs',
        actions: ['ssm:GetParameter'],
        resources: ['arn:PARTITION:ssm:*::parameter/aws/service/*'],
    },
    {
        sid: 'Prices',
        why: 'what a machine costs on demand',
        actions: ['pricing:GetProducts'],
        resources: ANY,
        without: 'costs are unknown, and --max-cost is only possible with --spot true',
    },
    {
        sid: 'Groups',
        why: 'groups of machines, their size and the scheduled action that ends them',
        actions: [
            'autoscaling:CreateAutoScalingGroup',
            'autoscaling:DeleteAutoScalingGroup',
            'autoscaling:PutScheduledUpdateGroupAction',
            'autoscaling:SetDesiredCapacity',
            'autoscaling:SuspendProcesses',
            'autoscaling:UpdateAutoScalingGroup',
        ],
        resources: GROUPS,
    },
    {
        sid: 'GroupTags',
        why: 'CreateAutoScalingGroup writes tags',
        actions: ['autoscaling:CreateOrUpdateTags'],
        resources: GROUPS,
        page: 'https://docs.aws.amazon.com/autoscaling/ec2/userguide/control-access-using-iam.html',
    },
    {
        sid: 'Templates',
        why: 'what machines are made from',
        actions: ['ec2:CreateLaunchTemplate', 'ec2:CreateSecurityGroup', 'ec2:AuthorizeSecurityGroupIngress', 'ec2:GetConsoleOutput'],
        resources: ANY,
    },
    {
        sid: 'TemplatesEnd',
        why: 'to remove them: only those that have a tag of tpi',
        actions: ['ec2:DeleteLaunchTemplate', 'ec2:DeleteSecurityGroup'],
        resources: ANY,
        condition: { StringLike: { [`aws:ResourceTag/${_names_js__WEBPACK_IMPORTED_MODULE_1__/* .TAG */ .Dk.id}`]: ['tpi-*'] } },
    },
    {
        sid: 'Launch',
        why: 'CreateAutoScalingGroup and UpdateAutoScalingGroup check the template as if the caller started it',
        actions: ['ec2:RunInstances'],
        resources: ANY,
        page: 'https://docs.aws.amazon.com/autoscaling/ec2/userguide/ec2-auto-scaling-launch-template-permissions.html',
    },
    {
        sid: 'Tags',
        why: 'RunInstances, CreateLaunchTemplate and CreateSecurityGroup write tags on what they make; it cannot change those of anything else',
        actions: ['ec2:CreateTags'],
        resources: ANY,
        condition: { StringEquals: { 'ec2:CreateAction': ['RunInstances', 'CreateLaunchTemplate', 'CreateSecurityGroup'] } },
        page: 'https://docs.aws.amazon.com/AWSEC2/latest/UserGuide/supported-iam-actions-tagging.html',
    },
    {
        sid: 'Simulation',
        why: 'for tpi doctor: which of these permissions you have, and the shared role of machines',
        actions: ['iam:SimulatePrincipalPolicy'],
        resources: ['arn:PARTITION:iam::*:*'],
        without: 'doctor says that it cannot see them; runs do not need it',
    },
    {
        sid: 'Roles',
        why: 'a role for the machines of each run',
        actions: [
            'iam:AddRoleToInstanceProfile',
            'iam:CreateInstanceProfile',
            'iam:DeleteInstanceProfile',
            'iam:DeleteRole',
            'iam:DeleteRolePolicy',
            'iam:GetInstanceProfile',
            'iam:GetRole',
            'iam:RemoveRoleFromInstanceProfile',
        ],
        resources: ROLES,
    },
    {
        sid: 'Detach',
        why: 'to remove such a role if somebody else has attached a policy to it, as some accounts do to the role of every machine',
        actions: ['iam:DetachRolePolicy', 'iam:ListAttachedRolePolicies'],
        resources: ROLES,
        without: 'such a role stays',
    },
    {
        sid: 'RolePowers',
        why: 'what that role may do',
        actions: ['iam:CreateRole', 'iam:PutRolePolicy'],
        resources: [`arn:PARTITION:iam::*:role${_names_js__WEBPACK_IMPORTED_MODULE_1__/* .PATH */ .gI}*`],
        boundless: true,
        without: `machines get the role ${_names_js__WEBPACK_IMPORTED_MODULE_1__/* .SHARED_ROLE */ .$J} of the account, which an administrator makes once`,
    },
    {
        sid: 'RoleTags',
        why: 'CreateRole and CreateInstanceProfile write tags',
        actions: ['iam:TagRole', 'iam:TagInstanceProfile'],
        resources: ROLES,
        page: 'https://docs.aws.amazon.com/IAM/latest/UserGuide/id_tags.html',
    },
    {
        sid: 'PassRole',
        why: 'the machines get that role from their template; the role of a profile that --permission-set names has to be added',
        actions: ['iam:PassRole'],
        resources: [`arn:PARTITION:iam::*:role${_names_js__WEBPACK_IMPORTED_MODULE_1__/* .PATH */ .gI}*`],
        condition: { StringEquals: { 'iam:PassedToService': ['ec2.amazonaws.com', 'ec2.amazonaws.com.cn'] } },
        page: 'https://docs.aws.amazon.com/autoscaling/ec2/userguide/ec2-auto-scaling-launch-template-permissions.html',
    },
    {
        sid: 'ServiceRoles',
        why: 'the first group and the first spot machine of an account make roles of the services themselves',
        actions: ['iam:CreateServiceLinkedRole'],
        resources: ['arn:PARTITION:iam::*:role/aws-service-role/*'],
        condition: { StringEquals: { 'iam:AWSServiceName': ['autoscaling.amazonaws.com', 'spot.amazonaws.com'] } },
        page: 'https://docs.aws.amazon.com/autoscaling/ec2/userguide/autoscaling-service-linked-role.html',
        without: 'an administrator makes them once: aws iam create-service-linked-role --aws-service-name autoscaling.amazonaws.com',
    },
    {
        sid: 'Bucket',
        why: 'the bucket of the account, made once',
        actions: ['s3:CreateBucket', 's3:GetLifecycleConfiguration', 's3:PutBucketPublicAccessBlock', 's3:PutLifecycleConfiguration'],
        resources: BUCKET,
        without: 'an administrator makes it once, or you name another one: --storage s3://BUCKET/PREFIX',
    },
    {
        sid: 'List',
        why: 'whether the bucket is there, and what is in it; a bucket that --storage names has to be added, here and in Store',
        actions: ['s3:ListBucket', 's3:ListBucketMultipartUploads'],
        resources: BUCKET,
    },
    {
        sid: 'Store',
        why: 'work directories, checkpoints, logs; a bucket that --storage names has to be added, here and in List',
        actions: ['s3:AbortMultipartUpload', 's3:DeleteObject', 's3:GetObject', 's3:ListMultipartUploadParts', 's3:PutObject'],
        resources: BUCKET.map((bucket) => `${bucket}/*`),
    },
];
/**
 * The condition of a right. `boundary`: roles without it can neither be created nor be given rights.
 * https://docs.aws.amazon.com/IAM/latest/UserGuide/access_policies_boundaries.html
 */
function conditionOf({ condition, boundless }, boundary) {
    return boundless && boundary !== undefined ? { StringEquals: { 'iam:PermissionsBoundary': [boundary] } } : condition;
}
function callerPolicy(partition, boundary) {
    return {
        Version: '2012-10-17',
        Statement: RIGHTS.map((right) => {
            const condition = conditionOf(right, boundary);
            return {
                Sid: right.sid,
                Effect: 'Allow',
                Action: right.actions,
                Resource: right.resources.map((resource) => resource.replace('PARTITION', partition)),
                ...(condition && { Condition: condition }),
            };
        }),
    };
}
function policiesOf(values) {
    const [region = '*'] = (0,_vm_region_js__WEBPACK_IMPORTED_MODULE_4__/* .regionTexts */ .th)(values['region']);
    const partition = region.startsWith('cn-') ? 'aws-cn' : region.startsWith('us-gov-') ? 'aws-us-gov' : 'aws';
    const data = (0,_settings_js__WEBPACK_IMPORTED_MODULE_3__/* .settingsOf */ .f)({ values, env: {} }).data.map(_policy_js__WEBPACK_IMPORTED_MODULE_2__/* .bucketOf */ .AU);
    const image = (0,_image_registry_js__WEBPACK_IMPORTED_MODULE_0__/* .repositoryOf */ ._)((0,_lib_record_js__WEBPACK_IMPORTED_MODULE_5__/* .textOf */ .b6)(values['container']) ?? '');
    return {
        caller: callerPolicy(partition, (0,_lib_record_js__WEBPACK_IMPORTED_MODULE_5__/* .textOf */ .b6)(values['permissions-boundary'])),
        machine: (0,_policy_js__WEBPACK_IMPORTED_MODULE_2__/* .machinePolicy */ .GW)({ account: '*', partition }, '*', { bucket: { name: 'tpi-*', prefix: '' }, data, image }),
    };
}
const POWER = `# Careful: anyone who has this policy can become administrator of the account. They may make a role below ${_names_js__WEBPACK_IMPORTED_MODULE_1__/* .PATH */ .gI}, give it any right, and start a machine that has it (RolePowers, PassRole).
# To bound it, make a policy that allows no more than the second one below. Then print this with --permissions-boundary ARN, and give that option to each run, too.`;
/** Both policies, with the reason before each statement; or one of them, for a file. */
function permissionsText(values) {
    const policies = policiesOf(values);
    const { policy: whose } = values;
    if (whose === 'caller' || whose === 'machine')
        return `${JSON.stringify(policies[whose], undefined, 2)}\n`;
    const reasons = RIGHTS.map(({ sid, ...reason }) => `# ${sid}: ${(0,_vm_permissions_js__WEBPACK_IMPORTED_MODULE_6__/* .rightText */ .C)(reason)}`);
    const boundary = (0,_lib_record_js__WEBPACK_IMPORTED_MODULE_5__/* .textOf */ .b6)(values['permissions-boundary']);
    const bounded = `# Each run needs --permissions-boundary ${boundary}: roles without it can neither be made nor be given rights.`;
    return `${[
        '# The policy for the account that runs tpi (--policy caller prints it alone, for a file).',
        ...reasons,
        boundary === undefined ? POWER : bounded,
        JSON.stringify(policies.caller, undefined, 2),
        '',
        `# The policy of the role and instance profile "${_names_js__WEBPACK_IMPORTED_MODULE_1__/* .SHARED_ROLE */ .$J}" (path ${_names_js__WEBPACK_IMPORTED_MODULE_1__/* .PATH */ .gI}), for accounts in which callers may make no roles (alone: --policy machine).`,
        '# It is good for the store of every run of the account. Otherwise each run has a role of its own, for its own part of the store.',
        JSON.stringify(policies.machine, undefined, 2),
    ].join('\n')}\n`;
}


/***/ }),

/***/ 36557:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   AU: () => (/* binding */ bucketOf),
/* harmony export */   GW: () => (/* binding */ machinePolicy),
/* harmony export */   RZ: () => (/* binding */ trustPolicy)
/* harmony export */ });
/* harmony import */ var _vm_names_js__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(70839);
/* harmony import */ var _names_js__WEBPACK_IMPORTED_MODULE_1__ = __webpack_require__(50335);


/** The part of a bucket that a URL names. */
function bucketOf({ url }) {
    const { host, pathname } = new URL(url);
    const path = decodeURIComponent(pathname).split('/').filter(Boolean).join('/');
    return { name: host, prefix: path === '' ? '' : `${path}/` };
}
function machinePolicy({ account, partition }, region, powers) {
    const { bucket, data = [], image, of, twin = of === undefined } = powers;
    const { name, prefix } = bucket;
    const named = (groups) => [
        `arn:${partition}:autoscaling:${region}:${account}:autoScalingGroup:*:autoScalingGroupName/${groups}`,
    ];
    const below = `${prefix}${of ? `${of.id}/` : 'tpi-'}*`;
    const groups = of ? `${(0,_names_js__WEBPACK_IMPORTED_MODULE_1__/* .groupName */ .hv)(of)}*` : 'tpi-*';
    return {
        Version: '2012-10-17',
        Statement: [
            {
                Sid: 'Store',
                Effect: 'Allow',
                Action: ['s3:GetObject', 's3:PutObject', 's3:DeleteObject', 's3:AbortMultipartUpload', 's3:ListMultipartUploadParts'],
                Resource: [`arn:${partition}:s3:::${name}/${below}`],
            },
            {
                // Without it, S3 answers "forbidden" for an object that does not exist.
                Sid: 'List',
                Effect: 'Allow',
                Action: ['s3:ListBucket'],
                Resource: [`arn:${partition}:s3:::${name}`],
                Condition: { StringLike: { 's3:prefix': [below] } },
            },
            {
                Sid: 'Leave',
                Effect: 'Allow',
                Action: ['autoscaling:TerminateInstanceInAutoScalingGroup'],
                Resource: named(groups),
            },
            ...data.flatMap((one, at) => dataStatements(partition, one, at)),
            ...(image ? imageStatements(partition, image) : []),
            ...(twin ? twinStatements(named(groups), named(of ? (0,_names_js__WEBPACK_IMPORTED_MODULE_1__/* .twinName */ .u2)(of) : `tpi-*${_vm_names_js__WEBPACK_IMPORTED_MODULE_0__/* .TWIN */ .Nl}`)) : []),
        ],
    };
}
/** To read and list a part of a user's bucket. */
function dataStatements(partition, { name, prefix }, at) {
    return [
        { Sid: `Data${at}`, Effect: 'Allow', Action: ['s3:GetObject'], Resource: [`arn:${partition}:s3:::${name}/${prefix}*`] },
        {
            Sid: `DataList${at}`,
            Effect: 'Allow',
            Action: ['s3:ListBucket'],
            Resource: [`arn:${partition}:s3:::${name}`],
            Condition: { StringLike: { 's3:prefix': [`${prefix}*`] } },
        },
    ];
}
/** https://docs.aws.amazon.com/AmazonECR/latest/userguide/repository-policy-examples.html: a login cannot be limited to a resource. */
function imageStatements(partition, { account, region, name }) {
    return [
        { Sid: 'RegistryLogin', Effect: 'Allow', Action: ['ecr:GetAuthorizationToken'], Resource: ['*'] },
        {
            Sid: 'Image',
            Effect: 'Allow',
            Action: ['ecr:BatchCheckLayerAvailability', 'ecr:BatchGetImage', 'ecr:GetDownloadUrlForLayer'],
            Resource: [`arn:${partition}:ecr:${region}:${account}:repository/${name}`],
        },
    ];
}
/**
 * Machines may scale both groups to 0, and the twin up to its maximum. The right to postpone the twin's start cannot be limited to that: root on
 * a machine could use it to postpone the twin's dead-man's switch, too.
 * https://docs.aws.amazon.com/service-authorization/latest/reference/list_amazonec2autoscaling.html
 */
function twinStatements(groups, twins) {
    return [
        {
            Sid: 'End',
            Effect: 'Allow',
            Action: ['autoscaling:UpdateAutoScalingGroup'],
            Resource: groups,
            Condition: { NumericEquals: { 'autoscaling:MaxSize': ['0'] } },
        },
        {
            Sid: 'Twin',
            Effect: 'Allow',
            Action: ['autoscaling:PutScheduledUpdateGroupAction', 'autoscaling:SetDesiredCapacity'],
            Resource: twins,
        },
    ];
}
/** Who may have this role: only machines. */
function trustPolicy(partition) {
    const service = partition === 'aws-cn' ? 'ec2.amazonaws.com.cn' : 'ec2.amazonaws.com';
    return {
        Version: '2012-10-17',
        Statement: [{ Effect: 'Allow', Principal: { Service: service }, Action: 'sts:AssumeRole' }],
    };
}


/***/ }),

/***/ 64582:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   f: () => (/* binding */ settingsOf),
/* harmony export */   i: () => (/* binding */ REGIONS)
/* harmony export */ });
/* harmony import */ var _vendors_aws_service_js__WEBPACK_IMPORTED_MODULE_1__ = __webpack_require__(40335);
/* harmony import */ var _vm_settings_js__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(64519);


const REGIONS = {
    vendor: 'AWS',
    // The regions that TPI used for these names.
    generic: { 'us-east': 'us-east-1', 'us-west': 'us-west-1', 'eu-north': 'eu-north-1', 'eu-west': 'eu-west-1' },
    native: /^([a-z]{2,4}(?:-[a-z]+)+-\d)([a-z])?$/,
    such: 'us-west-2 or us-west-2b',
};
/** File systems of EFS have names below the domain of the region. https://docs.aws.amazon.com/efs/latest/ug/mounting-fs-mount-cmd-dns-name.html */
const MOUNTS = {
    such: 'fs-0123456789abcdef0:/data (EFS)',
    own: /^(fs-(?:[0-9a-f]{8}|[0-9a-f]{17}))$/,
    source: ([, id], region) => `${(0,_vendors_aws_service_js__WEBPACK_IMPORTED_MODULE_1__/* .serviceHost */ .a)(`${id}.efs`, region)}:/`,
    options: 'nfsvers=4.1,noresvport',
};
const DATA = { url: /^s3:\/\/[a-z0-9][a-z0-9._-]{1,61}[a-z0-9](?:\/[^\s?#%]*)?$/, such: 's3://BUCKET/PREFIX' };
/** The region if neither an option nor a variable of the vendor's tools names one. */
const USUAL = 'us-east-1';
/** `at`: which of several regions. */
function settingsOf({ values, env }, at) {
    return {
        ...(0,_vm_settings_js__WEBPACK_IMPORTED_MODULE_0__/* .vmSettings */ .Z)({ regions: REGIONS, mounts: MOUNTS, data: DATA, usual: env['AWS_REGION'] || env['AWS_DEFAULT_REGION'] || USUAL }, values, at),
        ...(0,_vm_settings_js__WEBPACK_IMPORTED_MODULE_0__/* .textsOf */ .CB)(values, { profile: 'aws-profile', vpc: 'vpc', boundary: 'permissions-boundary' }),
        subnets: (0,_vm_settings_js__WEBPACK_IMPORTED_MODULE_0__/* .listOf */ .c3)(values['subnet']),
        securityGroups: (0,_vm_settings_js__WEBPACK_IMPORTED_MODULE_0__/* .listOf */ .c3)(values['security-group']),
    };
}


/***/ }),

/***/ 5194:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   v: () => (/* binding */ signedPost)
/* harmony export */ });
/* harmony import */ var _lib_sha256_js__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(41923);
/* harmony import */ var _vendors_aws_sigv4_js__WEBPACK_IMPORTED_MODULE_1__ = __webpack_require__(4491);
/** A request to a service of AWS without its SDK. */


/** The request as it is sent: with the headers that the signature needs. */
function signedPost(url, { headers, body }, held, scope) {
    const { accessKeyId = '', secretAccessKey = '', sessionToken } = held;
    const request = { method: 'POST', host: url.host, path: url.pathname, query: {}, headers, bodyHash: (0,_lib_sha256_js__WEBPACK_IMPORTED_MODULE_0__/* .sha256 */ .s)(body) };
    return { method: 'POST', headers: (0,_vendors_aws_sigv4_js__WEBPACK_IMPORTED_MODULE_1__/* .sign */ ._S)(request, { accessKeyId, secretAccessKey, sessionToken }, scope), body };
}


/***/ }),

/***/ 61412:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   _: () => (/* binding */ MOST)
/* harmony export */ });
/* unused harmony export askRegistry */
/* harmony import */ var _machine_call_js__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(76255);

/** Bytes: any token is much shorter. */
const MOST = 65_536;
async function askRegistry(url, proof) {
    const { ok, status, header, text } = await asked(url, { ...proof, method: 'POST', most: MOST });
    if (text === undefined)
        throw new Error(`${url.host} answers with more than ${MOST} bytes, which is not a login`);
    return { ok, status, text, date: header('date') };
}


/***/ }),

/***/ 76255:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* unused harmony exports asked, patiently */
/* harmony import */ var _lib_backoff_js__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(71874);
/* harmony import */ var _lib_http_js__WEBPACK_IMPORTED_MODULE_1__ = __webpack_require__(78928);
/** Requests that a machine makes to its vendor by itself. */


const TIMEOUT = 15_000;
/** One request. */
async function asked(url, call) {
    return await ask(url, { ...call, patience: TIMEOUT });
}
const PAUSES = { first: 500, longest: 8000 };
/**
 * Tries again until `end` (by `performance.now()`), because the rights of a new identity take a while to work. `again`: as for `retry`. Throws
 * the last error.
 */
async function patiently(end, body, again) {
    const untilEnd = (error, tries) => {
        const answer = again(error);
        const pause = Math.min(PAUSES.first * 2 ** (tries - 1), PAUSES.longest);
        return performance.now() + pause + Number(answer) <= end && answer;
    };
    // At least half of the longest pause each time, because each try costs a call.
    return await retry(body, { ...PAUSES, random: () => Math.random() / 2, again: untilEnd });
}


/***/ }),

/***/ 47174:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   U$: () => (/* binding */ bytesUpTo),
/* harmony export */   Yf: () => (/* binding */ jsonIn),
/* harmony export */   qx: () => (/* binding */ textUpTo)
/* harmony export */ });
/** Reads the body of a server's answer, which may be anything. */
/** The body as text. `undefined`: it is longer than `most` bytes; the rest of it is not read. */
async function textUpTo(most, answer) {
    return (await bytesUpTo(most, answer))?.toString('utf8');
}
/** The same, as bytes. */
async function bytesUpTo(most, { body }) {
    const pieces = [];
    let length = 0;
    for await (const piece of body ?? []) {
        length += piece.length;
        if (length > most)
            return undefined;
        pieces.push(piece);
    }
    return Buffer.concat(pieces);
}
/** `undefined`: it is not JSON, but the page of a proxy for example. */
function jsonIn(text) {
    try {
        return JSON.parse(text ?? '');
    }
    catch {
        return undefined;
    }
}


/***/ }),

/***/ 78928:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   A3: () => (/* binding */ reasonOf),
/* harmony export */   XX: () => (/* binding */ Unanswered),
/* harmony export */   kA: () => (/* binding */ ask)
/* harmony export */ });
/* harmony import */ var node_http__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(37067);
/* harmony import */ var node_https__WEBPACK_IMPORTED_MODULE_1__ = __webpack_require__(44708);
/* harmony import */ var node_zlib__WEBPACK_IMPORTED_MODULE_2__ = __webpack_require__(38522);
/* harmony import */ var _answer_js__WEBPACK_IMPORTED_MODULE_3__ = __webpack_require__(47174);
/**
 * One HTTP request and its whole answer as text, from no other server than the one that was asked. By Node's own client: the first `fetch` of a
 * process costs it 70 ms of processor time, which a starting machine feels, and so does somebody who waits for a command.
 */




/**
 * Addresses of metadata services, which are for this machine only: a proxy would ask its own, and answer with that one's identity.
 * https://learn.microsoft.com/azure/virtual-machines/instance-metadata-service#proxies
 */
const LINK_LOCAL = /^169\.254\.|^\[fd00:ec2:/;
const direct = new node_http__WEBPACK_IMPORTED_MODULE_0__.Agent();
/** There was no answer, or not all of it. The message says why, for people. */
class Unanswered extends Error {
    name = 'Unanswered';
}
/** Throws `Unanswered`, or the reason of the signal. */
async function ask(url, call) {
    const { signal, patience, most } = call;
    signal?.throwIfAborted();
    const limit = AbortSignal.timeout(patience);
    try {
        const answer = await responseTo(new URL(url), call, signal ? AbortSignal.any([signal, limit]) : limit);
        const { statusCode: status = 0, headers } = answer;
        // An answer that is not read to its end is ended, and its connection with it.
        const text = await (0,_answer_js__WEBPACK_IMPORTED_MODULE_3__/* .textUpTo */ .qx)(most, { body: plain(answer) });
        const header = (name) => headers[name]?.toString();
        return { ok: status >= 200 && status < 300, status, text, header };
    }
    catch (cause) {
        signal?.throwIfAborted();
        throw new Unanswered(limit.aborted ? `no answer within ${patience / 1000} s` : reasonOf(cause), { cause });
    }
}
async function responseTo(url, { method = 'GET', headers, body }, signal) {
    const bytes = body === undefined ? undefined : Buffer.from(body.toString());
    const sent = {
        'user-agent': 'tpi-action',
        'accept-encoding': 'gzip',
        ...(body instanceof URLSearchParams && { 'content-type': 'application/x-www-form-urlencoded;charset=UTF-8' }),
        ...headers,
        // Without it, the body of a DELETE would have no length at all.
        ...(bytes && { 'content-length': String(bytes.length) }),
    };
    return await new Promise((resolve, reject) => {
        const request = (url.protocol === 'https:' ? node_https__WEBPACK_IMPORTED_MODULE_1__ : node_http__WEBPACK_IMPORTED_MODULE_0__).request(url, {
            method,
            headers: sent,
            signal,
            ...(LINK_LOCAL.test(url.hostname) && { agent: direct }),
        });
        request.on('response', resolve).on('error', reject).end(bytes);
    });
}
function plain(answer) {
    if (answer.headers['content-encoding'] !== 'gzip')
        return answer;
    const unpacked = (0,node_zlib__WEBPACK_IMPORTED_MODULE_2__.createGunzip)();
    answer.on('error', (error) => unpacked.destroy(error)).pipe(unpacked);
    return unpacked.on('close', () => answer.destroy());
}
/** Why a request failed, for people. */
function reasonOf(error) {
    if (typeof error !== 'object' || error === null)
        return String(error);
    // Several addresses were tried: Node wraps what each of them said, and gives the wrapper no text.
    const [first] = 'errors' in error && Array.isArray(error.errors) ? error.errors : [];
    if (first !== undefined)
        return reasonOf(first);
    return 'message' in error ? String(error.message) : 'unknown';
}


/***/ }),

/***/ 4491:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   _L: () => (/* binding */ queryString),
/* harmony export */   _S: () => (/* binding */ sign)
/* harmony export */ });
/* unused harmony export signingKey */
/* harmony import */ var node_crypto__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(77598);
/* harmony import */ var _lib_sha256_js__WEBPACK_IMPORTED_MODULE_1__ = __webpack_require__(41923);
/* harmony import */ var _lib_uri_js__WEBPACK_IMPORTED_MODULE_2__ = __webpack_require__(42600);
/**
 * AWS Signature Version 4 in headers, as its public specification describes it. Time and credentials are arguments.
 * https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_sigv-create-signed-request.html
 */



/** The headers to send: those given, and what the signature needs. */
function sign(request, credentials, scope) {
    const stamp = timestamp(scope.date);
    const headers = { ...request.headers, host: request.host, 'x-amz-date': stamp };
    if (scope.service === 's3')
        headers['x-amz-content-sha256'] = request.bodyHash;
    if (credentials.sessionToken)
        headers['x-amz-security-token'] = credentials.sessionToken;
    const names = Object.keys(headers).sort();
    const canonical = canonicalRequest({ ...request, headers }, names);
    const place = `${stamp.slice(0, 8)}/${scope.region}/${scope.service}/aws4_request`;
    const text = ['AWS4-HMAC-SHA256', stamp, place, (0,_lib_sha256_js__WEBPACK_IMPORTED_MODULE_1__/* .sha256 */ .s)(canonical)].join('\n');
    const signature = hmac(signingKey(credentials.secretAccessKey, scope, stamp), text).toString('hex');
    const authorization = `AWS4-HMAC-SHA256 Credential=${credentials.accessKeyId}/${place}, SignedHeaders=${names.join(';')}, Signature=${signature}`;
    return { ...headers, authorization };
}
function canonicalRequest(request, names) {
    const lines = names.map((name) => `${name}:${(request.headers[name] ?? '').trim().replace(/ +/g, ' ')}`);
    return [request.method, request.path, queryString(request.query), ...lines, '', names.join(';'), request.bodyHash].join('\n');
}
/** Sorted and escaped: the same text is signed and sent. */
function queryString(query) {
    const pairs = Object.entries(query).map(([name, value]) => `${(0,_lib_uri_js__WEBPACK_IMPORTED_MODULE_2__/* .uriEncoded */ .n)(name)}=${(0,_lib_uri_js__WEBPACK_IMPORTED_MODULE_2__/* .uriEncoded */ .n)(value)}`);
    return pairs.sort().join('&');
}
/** At most this many keys are kept for later requests of the same day. */
const KEPT = 16;
const kept = new Map();
/** The key of one day, region and service. */
function signingKey(secret, { region, service }, stamp) {
    const parts = [stamp.slice(0, 8), region, service, 'aws4_request'];
    const of = JSON.stringify([secret, ...parts]);
    const there = kept.get(of);
    if (there)
        return there;
    const made = parts.reduce((key, part) => hmac(key, part), Buffer.from(`AWS4${secret}`));
    if (kept.size >= KEPT)
        kept.clear();
    kept.set(of, made);
    return made;
}
function hmac(key, text) {
    return (0,node_crypto__WEBPACK_IMPORTED_MODULE_0__.createHmac)('sha256', key).update(text).digest();
}
/** `20130524T000000Z` */
function timestamp(date) {
    return date.toISOString().replace(/[-:]|\.\d{3}/g, '');
}


/***/ })

};
