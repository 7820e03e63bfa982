export const id = 2139;
export const ids = [2139];
export const modules = {

/***/ 50335:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   $J: () => (/* binding */ SHARED_ROLE),
/* harmony export */   Dk: () => (/* binding */ TAG),
/* harmony export */   EL: () => (/* binding */ bucketName),
/* harmony export */   Fo: () => (/* binding */ SWITCH),
/* harmony export */   Nl: () => (/* binding */ TWIN),
/* harmony export */   S3: () => (/* binding */ roleName),
/* harmony export */   gI: () => (/* binding */ PATH),
/* harmony export */   hv: () => (/* binding */ groupName),
/* harmony export */   u2: () => (/* binding */ twinName)
/* harmony export */ });
/* harmony import */ var _core_identity_js__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(82260);

const TAG = {
    id: 'tpi:id',
    incarnation: 'tpi:incarnation',
    name: 'tpi:name',
    mode: 'tpi:mode',
    /** ISO: nothing of it runs past it. */
    until: 'tpi:until',
    /** All that is to be known of a deployment, in pieces (`tags.ts`). */
    facts: 'tpi:facts-',
};
/** Of roles and instance profiles. */
const PATH = '/tpi/';
/** Made once for an account: what machines are where their caller may make no roles. */
const SHARED_ROLE = 'tpi-machine';
/** Group, template, security group: the vendor takes 128 characters and more. */
const groupName = ({ id, incarnation }) => `${id}-${incarnation}`;
/** 64 characters at most. https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_iam-quotas.html */
const roleName = (of) => (0,_core_identity_js__WEBPACK_IMPORTED_MODULE_0__/* .shortName */ .EU)(of, 64);
/** One for each account and region. Names of buckets are the world's: whose it is is asked with every call. */
const bucketName = (account, region) => `tpi-${account}-${region}`;
const SWITCH = 'tpi-deadline';
/** Beside a group of spot machines: one that takes over at the full price (`spot: prefer`). */
const twinName = (of) => `${groupName(of)}${TWIN}`;
const TWIN = '-on-demand';


/***/ }),

/***/ 72139:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

__webpack_require__.r(__webpack_exports__);
/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   RIGHTS: () => (/* binding */ RIGHTS),
/* harmony export */   permissionsText: () => (/* binding */ permissionsText)
/* harmony export */ });
/* harmony import */ var _names_js__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(50335);
/* harmony import */ var _policy_js__WEBPACK_IMPORTED_MODULE_1__ = __webpack_require__(36557);
/** The least rights that a caller needs, each with what it is for; and those of machines. The policies that are printed derive from these lists. */


const ANY = ['*'];
const GROUPS = ['arn:PARTITION:autoscaling:*:*:autoScalingGroup:*:autoScalingGroupName/tpi-*'];
const ROLES = [`arn:PARTITION:iam::*:role${_names_js__WEBPACK_IMPORTED_MODULE_0__/* .PATH */ .gI}*`, `arn:PARTITION:iam::*:instance-profile${_names_js__WEBPACK_IMPORTED_MODULE_0__/* .PATH */ .gI}*`];
const BUCKET = ['arn:PARTITION:s3:::tpi-*'];
const RIGHTS = [
    { sid: 'Whoami', why: 'whose credentials these are', actions: ['sts:GetCallerIdentity'], resources: ANY },
    {
        sid: 'Look',
        why: 'networks, types, images, prices, machines and groups: none of these can be limited to ours',
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
        without: 'costs are unknown, and --max-cost is not possible but with --spot true',
    },
    {
        sid: 'Groups',
        why: 'groups of machines, their size and the switch that ends them',
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
        actions: [
            'ec2:CreateLaunchTemplate',
            'ec2:CreateSecurityGroup',
            'ec2:DeleteLaunchTemplate',
            'ec2:DeleteSecurityGroup',
            'ec2:AuthorizeSecurityGroupIngress',
            'ec2:GetConsoleOutput',
        ],
        resources: ANY,
    },
    {
        sid: 'Launch',
        why: 'CreateAutoScalingGroup and UpdateAutoScalingGroup check the template as if the caller started it, tags included',
        actions: ['ec2:RunInstances', 'ec2:CreateTags'],
        resources: ANY,
        page: 'https://docs.aws.amazon.com/autoscaling/ec2/userguide/ec2-auto-scaling-launch-template-permissions.html',
    },
    {
        sid: 'Roles',
        why: 'a role for the machines of each deployment',
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
        sid: 'RolePowers',
        why: 'what that role may do',
        actions: ['iam:CreateRole', 'iam:PutRolePolicy'],
        resources: [`arn:PARTITION:iam::*:role${_names_js__WEBPACK_IMPORTED_MODULE_0__/* .PATH */ .gI}*`],
        boundless: true,
        without: `machines get the role ${_names_js__WEBPACK_IMPORTED_MODULE_0__/* .SHARED_ROLE */ .$J} of the account, which an administrator makes once`,
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
        resources: [`arn:PARTITION:iam::*:role${_names_js__WEBPACK_IMPORTED_MODULE_0__/* .PATH */ .gI}*`],
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
        actions: [
            's3:CreateBucket',
            's3:GetLifecycleConfiguration',
            's3:ListBucket',
            's3:PutBucketPublicAccessBlock',
            's3:PutLifecycleConfiguration',
        ],
        resources: BUCKET,
        without: 'an administrator makes it once, or you name another one: --storage s3://BUCKET/PREFIX',
    },
    {
        sid: 'Store',
        why: 'work directories, checkpoints, logs; a bucket that --storage names has to be added, here and in Bucket',
        actions: ['s3:AbortMultipartUpload', 's3:DeleteObject', 's3:GetObject', 's3:ListMultipartUploadParts', 's3:PutObject'],
        resources: BUCKET.map((bucket) => `${bucket}/*`),
    },
];
/** `boundary`: roles that lack it can neither be made nor be given rights. https://docs.aws.amazon.com/IAM/latest/UserGuide/access_policies_boundaries.html */
function callerPolicy(partition, boundary) {
    const bound = boundary !== undefined && { StringEquals: { 'iam:PermissionsBoundary': [boundary] } };
    return {
        Version: '2012-10-17',
        Statement: RIGHTS.map(({ sid, actions, resources, boundless, condition = (boundless && bound) || undefined }) => ({
            Sid: sid,
            Effect: 'Allow',
            Action: actions,
            Resource: resources.map((resource) => resource.replace('PARTITION', partition)),
            ...(condition && { Condition: condition }),
        })),
    };
}
const POWER = `# Careful: whoever has this policy can become administrator of the account. They may make a role below ${_names_js__WEBPACK_IMPORTED_MODULE_0__/* .PATH */ .gI}, give it any right, and start a machine that has it (RolePowers, PassRole).
# To bound it, make a policy that allows no more than the second one below. Then print this with --permissions-boundary ARN, and give that option to each run, too.`;
/** Two policies, and the reason of each statement before them. */
function permissionsText(values) {
    const region = typeof values['region'] === 'string' ? values['region'] : '*';
    const partition = region.startsWith('cn-') ? 'aws-cn' : region.startsWith('us-gov-') ? 'aws-us-gov' : 'aws';
    const reasons = RIGHTS.map(({ sid, why, page, without }) => [`# ${sid}: ${why}`, page === undefined ? '' : ` (${page})`, without === undefined ? '' : `; without it, ${without}`].join(''));
    const boundary = typeof values['permissions-boundary'] === 'string' ? values['permissions-boundary'] : undefined;
    const bounded = `# Each run needs --permissions-boundary ${boundary}: roles without it can neither be made nor be given rights.`;
    const machine = (0,_policy_js__WEBPACK_IMPORTED_MODULE_1__/* .machinePolicy */ .G)({ account: '*', partition, arn: '' }, '*', { name: 'tpi-*', prefix: '' });
    return `${[
        '# The policy of whoever runs tpi.',
        ...reasons,
        boundary === undefined ? POWER : bounded,
        JSON.stringify(callerPolicy(partition, boundary), undefined, 2),
        '',
        `# The policy of the role and instance profile "${_names_js__WEBPACK_IMPORTED_MODULE_0__/* .SHARED_ROLE */ .$J}" (path ${_names_js__WEBPACK_IMPORTED_MODULE_0__/* .PATH */ .gI}), for accounts in which callers may make no roles.`,
        '# It is good for the store of every deployment of the account. Otherwise each deployment has a role of its own, for its own part of the store.',
        JSON.stringify(machine, undefined, 2),
    ].join('\n')}\n`;
}


/***/ }),

/***/ 36557:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   G: () => (/* binding */ machinePolicy),
/* harmony export */   R: () => (/* binding */ trustPolicy)
/* harmony export */ });
/* harmony import */ var _names_js__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(50335);

/** Of one deployment; without one, of all of the account: then a machine could reach its neighbours' part too. `twin`: it may have a second group. */
function machinePolicy({ account, partition }, region, { name, prefix }, of, twin = of === undefined) {
    const named = (groups) => [
        `arn:${partition}:autoscaling:${region}:${account}:autoScalingGroup:*:autoScalingGroupName/${groups}`,
    ];
    const below = `${prefix}${of ? `${of.id}/` : 'tpi-'}*`;
    const groups = of ? `${(0,_names_js__WEBPACK_IMPORTED_MODULE_0__/* .groupName */ .hv)(of)}*` : 'tpi-*';
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
                // Without it, what does not exist is "forbidden", and cannot be told from what may not be read.
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
            ...(twin ? twinStatements(named(groups), named(of ? (0,_names_js__WEBPACK_IMPORTED_MODULE_0__/* .twinName */ .u2)(of) : `tpi-*${_names_js__WEBPACK_IMPORTED_MODULE_0__/* .TWIN */ .Nl}`)) : []),
        ],
    };
}
/**
 * To nothing alone, and the twin up to its most. What puts the twin off could also put off its switch: whoever is root on a machine could, too.
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
/** Who may be this: machines, and nobody else. */
function trustPolicy(partition) {
    const service = partition === 'aws-cn' ? 'ec2.amazonaws.com.cn' : 'ec2.amazonaws.com';
    return {
        Version: '2012-10-17',
        Statement: [{ Effect: 'Allow', Principal: { Service: service }, Action: 'sts:AssumeRole' }],
    };
}


/***/ })

};
